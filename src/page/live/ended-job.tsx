import { printable } from '../../document/words/shortened.ts';
import { useLoaded } from '../elements.tsx';
import { HistoryPlace } from '../history-place.tsx';
import type { JobStage, JobStory } from '../model/job-story.ts';
import type { ResultPageProps } from '../result/result-page.tsx';
import type { SwitchControl } from '../result/use-what-if.ts';

/** A job that has ended: what came of it, and why that is not all if it is not. */
export function EndedJob({ id, story, stage, switches }: EndedProps) {
  const { status, result, why } = stage;
  const { question } = story;
  return (
    <>
      {status === 'cancelled' && (
        <div class="notice warn">
          <strong>Cancelled.</strong>
          {result === undefined ? 'It had not begun.' : 'This is what was known by then.'}
        </div>
      )}
      {status === 'failed' && (
        <div class="notice bad">
          <strong>The traversal failed.</strong>
          {printable(why ?? 'The service does not say why.')}
        </div>
      )}
      {result !== undefined && (
        <ResultPlace id={id} result={result} servers={story.servers} switches={switches} />
      )}
      {question !== undefined && <HistoryPlace question={question} shown={{ id, result }} />}
    </>
  );
}

interface EndedProps {
  readonly id: string;
  readonly story: JobStory;
  readonly stage: Extract<JobStage, { kind: 'ended' }>;
  readonly switches: SwitchControl;
}

/** Loads what shows results. The start and the live view do without. */
export function loadResultPage() {
  return import('../result/result-page.tsx');
}

/** A result, as soon as what shows it is loaded. */
function ResultPlace(props: ResultPageProps) {
  const loaded = useLoaded(loadResultPage);
  if (loaded === undefined) {
    return (
      <p class="hold" role="status">
        Loading the result…
      </p>
    );
  }
  if (loaded !== 'failed') return <loaded.ResultPage {...props} />;
  return (
    <div class="notice bad" role="status">
      <strong>A part of this page could not be loaded.</strong>
      Load it again: the result is kept.
    </div>
  );
}
