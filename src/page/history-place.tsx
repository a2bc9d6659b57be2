import { useLoaded } from './elements.tsx';
import type { WrittenQuestion } from './model/page-url.ts';
import { readWritten } from './model/question-input.ts';
import type { HistoryProps } from './result/history.tsx';
import { serviceFacts } from './service-api.ts';

/** The history of a question, as soon as what shows it is loaded. Nothing where the service does not tell it. */
export function HistoryPlace(props: HistoryProps) {
  return serviceFacts().history ? <LoadedHistory {...props} /> : null;
}

/** The history of a question as somebody wrote it. */
export function HistoryOfWritten({ question }: { readonly question: WrittenQuestion }) {
  const read = readWritten(question);
  return read.kind === 'wrong' ? null : <HistoryPlace question={read} />;
}

function LoadedHistory(props: HistoryProps) {
  const loaded = useLoaded(loadHistory);
  if (loaded === undefined) return null;
  if (loaded === 'failed') return <p class="note">The history could not be loaded: load the page again.</p>;
  return <loaded.History {...props} />;
}

function loadHistory() {
  return import('./result/history.tsx');
}
