import { useEffect, useState } from 'preact/hooks';
import { count, time } from '../../reading/words/quantities.ts';
import type { JobStory } from './job-story.ts';

/** How far a job is. Screen readers hear of its stages only: numbers change all the time. */
export function Counters({ story }: { readonly story: JobStory }) {
  const { progress, connection } = story;
  return (
    <>
      <p role="status" class={connection === 'lost' ? 'stage lost' : 'stage'}>
        {stageWords(story)}
      </p>
      <dl class="numbers">
        <div>
          <dt>Replies</dt>
          <dd>{count(progress.heard, 'reply', 'replies').split(' ')[0]}</dd>
        </div>
        <div>
          <dt>Awaited</dt>
          <dd>{progress.awaited}</dd>
        </div>
        <div>
          <dt>Elapsed</dt>
          <dd>
            <Elapsed clock={story.clock} isRunning={story.stage.kind === 'running'} />
          </dd>
        </div>
      </dl>
    </>
  );
}

function stageWords({ stage, connection }: JobStory): string {
  if (connection === 'lost') return 'Connection lost. Trying again…';
  switch (stage.kind) {
    case 'queued':
      return 'Waiting for its turn…';
    case 'running':
      return 'Asking…';
    case 'ending':
      return 'All replies are in. Fetching the result…';
    case 'unknown':
    case 'ended':
    case 'gone':
    case 'strange':
      return '';
  }
}

interface ElapsedProps {
  readonly clock: JobStory['clock'];
  readonly isRunning: boolean;
}

function Elapsed({ clock, isRunning }: ElapsedProps) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (clock === undefined) return <>–</>;
  return <>{time(clock.elapsedMs + (isRunning ? Math.max(0, now - clock.at) : 0))}</>;
}
