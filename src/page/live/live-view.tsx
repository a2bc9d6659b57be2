import { useEffect, useRef, useState } from 'preact/hooks';
import { count, time } from '../../document/words/quantities.ts';
import { announcementOf, type JobStory } from '../model/job-story.ts';
import { liveZones } from '../model/live-zones.ts';
import { MarkLegend } from '../picture/server-mark.tsx';
import { ZoneList } from '../picture/zone-list.tsx';
import { abandonJob } from '../service-api.ts';
import { Explained } from '../terms.tsx';
import { loadResultPage } from './ended-job.tsx';
import { LiveZoneItem } from './live-zone.tsx';

/** A job that waits or runs: how far it is, and the servers it has come to. */
export function LiveView({ id, story }: { readonly id: string; readonly story: JobStory }) {
  useEffect(() => {
    // It will be needed; if it cannot be had now, that is said when it is.
    loadResultPage().catch(() => undefined);
  }, []);
  const { way, elsewhere } = liveZones(story.progress);
  return (
    <>
      <section class="live-head" aria-label="Progress">
        <Counters story={story} />
        <CancelButton id={id} />
      </section>
      {way.length > 0 && (
        <section class="card" aria-labelledby="way">
          <h2 id="way">From the root to the answer</h2>
          <MarkLegend />
          <ZoneList shape="chain">
            {way.map((zone) => (
              <LiveZoneItem key={zone.zone} zone={zone} />
            ))}
          </ZoneList>
        </section>
      )}
      {elsewhere.length > 0 && (
        <section class="card" aria-labelledby="elsewhere">
          <h2 id="elsewhere">Also asked</h2>
          <p class="note">
            <Explained text="Addresses of name servers, targets of aliases, and the zones’ own records." />
          </p>
          <ZoneList shape="tree">
            {elsewhere.map((zone) => (
              <LiveZoneItem key={zone.zone} zone={zone} />
            ))}
          </ZoneList>
        </section>
      )}
    </>
  );
}

/** The stage of a job, and its counters. */
function Counters({ story }: { readonly story: JobStory }) {
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

/** Cancels a job. What comes of it is told by its events. */
function CancelButton({ id }: { readonly id: string }) {
  const [state, setState] = useState<'idle' | 'sending' | 'unreachable' | 'refused'>('idle');
  const request = useRef(new AbortController());
  useEffect(() => () => request.current.abort(), []);
  const cancel = async () => {
    setState('sending');
    const answer = await abandonJob(id, request.current.signal);
    if (answer.kind === 'ok') return;
    setState(answer.failure.kind === 'not-a-service' ? 'refused' : 'unreachable');
  };
  return (
    <div class="cancel">
      <button class="button" type="button" disabled={state === 'sending'} onClick={cancel}>
        {state === 'sending' ? 'Cancelling…' : 'Cancel'}
      </button>
      {state === 'unreachable' && <p role="status">That did not reach the service. Try again.</p>}
      {state === 'refused' && <p role="status">Only the browser that started the job can cancel it.</p>}
    </div>
  );
}
