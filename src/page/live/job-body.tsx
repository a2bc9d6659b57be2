import { RunAgain } from '../form/run-again.tsx';
import type { PageView, WrittenQuestion } from '../parts/address.ts';
import type { SwitchControl } from '../what-if/use-what-if.ts';
import { EndedJob } from './ended-job.tsx';
import type { JobStory } from './job-story.ts';
import { LiveView } from './live-view.tsx';

interface JobBodyProps {
  readonly id: string;
  readonly story: JobStory;
  readonly question: WrittenQuestion | undefined;
  readonly switches: SwitchControl;
  readonly go: (view: PageView) => void;
}

/** The contents of the job page at the job's stage. */
export function JobBody({ id, story, question, switches, go }: JobBodyProps) {
  const { stage } = story;
  switch (stage.kind) {
    case 'unknown':
      return <Waiting words={story.connection === 'lost' ? LOST : 'Loading…'} />;
    case 'queued':
    case 'running':
    case 'ending':
      return <LiveView id={id} story={story} />;
    case 'ended':
      return <EndedJob story={story} stage={stage} switches={switches} />;
    case 'gone':
      return (
        <div class="notice warn">
          <strong>This traversal is no longer kept.</strong>
          Services forget traversals after a while, or when they are restarted.{' '}
          {question === undefined ? (
            'You can start another one below.'
          ) : (
            <RunAgain question={question} imagined={switches.choice} go={go} />
          )}
        </div>
      );
    case 'strange':
      return (
        <div class="notice bad">
          <strong>The service answers strangely.</strong>
          Perhaps it has just been replaced by another version: load this page again.
        </div>
      );
  }
}

const LOST = 'The service cannot be reached. Trying again…';

function Waiting({ words }: { readonly words: string }) {
  return <p class="hold">{words}</p>;
}
