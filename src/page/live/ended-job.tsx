import { printable } from '../../reading/words/printable.ts';
import type { SwitchControl } from '../what-if/use-what-if.ts';
import type { JobStage, JobStory } from './job-story.ts';
import { ResultPlace } from './result-place.tsx';

interface EndedProps {
  readonly story: JobStory;
  readonly stage: Extract<JobStage, { kind: 'ended' }>;
  readonly switches: SwitchControl;
}

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
