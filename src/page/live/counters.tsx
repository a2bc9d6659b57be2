import { useEffect, useState } from 'preact/hooks';
import { count, time } from '../../reading/words/quantities.ts';
import { announcementOf } from './announcement.ts';
import type { JobStory } from './job-story.ts';

/** The stage of a job, and its counters. */
export function Counters({ story }: { readonly story: JobStory }) {
  const { progress, connection } = story;
  return (
    <>
      <p class={connection === 'lost' ? 'stage lost' : 'stage'}>{announcementOf(story)}</p>
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
