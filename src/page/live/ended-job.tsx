import { useEffect, useState } from 'preact/hooks';
import { printable } from '../../document/words/shortened.ts';
import type { JobStage, JobStory } from '../model/job-story.ts';
import type { ResultPage, ResultPageProps } from '../result/result-page.tsx';
import type { SwitchControl } from '../result/use-what-if.ts';

/** A job that has ended: what came of it, and why that is not all if it is not. */
export function EndedJob({ story, stage, switches }: EndedProps) {
  const { status, result, why } = stage;
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
      {result !== undefined && <ResultPlace result={result} servers={story.servers} switches={switches} />}
    </>
  );
}

interface EndedProps {
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
  const [Loaded, setLoaded] = useState<typeof ResultPage | 'failed'>();
  useEffect(() => {
    loadResultPage().then(
      (loaded) => setLoaded(() => loaded.ResultPage),
      () => setLoaded('failed'),
    );
  }, []);
  if (Loaded === undefined) {
    return (
      <p class="hold" role="status">
        Loading the result…
      </p>
    );
  }
  if (Loaded !== 'failed') return <Loaded {...props} />;
  return (
    <div class="notice bad" role="status">
      <strong>A part of this page could not be loaded.</strong>
      Load it again: the result is kept.
    </div>
  );
}
