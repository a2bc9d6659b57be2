import { onAbort } from '../../base/abort.ts';
import type { RunAnswer, RunFailure } from '../../document/run-answer.ts';
import type { ServerList } from '../../document/servers.ts';
import type { FetchedJob, StreamListener } from '../service-api.ts';
import type { JobStory } from './job-story.ts';

/**
 * Follows a job from wherever it is to its end, and tells its story. A connection that is lost is restored,
 * however long that takes.
 */
export async function followJob(
  id: string,
  tools: FollowTools,
  story: JobStory,
  signal: AbortSignal,
): Promise<void> {
  for (let how: Listened = 'closed'; how !== 'strange' && !signal.aborted; ) {
    const fetching = persist(
      (one) => tools.fetchJob(id, one),
      tools,
      signal,
      () => story.connected('lost'),
    );
    const job = await fetching;
    if (signal.aborted) return;
    if (job.kind === 'failed') {
      story.over(whyOver(job.failure));
      return;
    }
    story.fetched(job.value, tools.now());
    if (job.value.finishedAt !== undefined) {
      await hearServers(id, tools, story, signal);
      return;
    }
    const place = new AbortController();
    const forget = onAbort(signal, () => place.abort());
    void followPlace(id, tools, story, place.signal);
    how = await listen(id, tools, story, signal);
    forget();
    place.abort();
    if (how === 'closed') await tools.pause(PAUSES_MS[0], signal);
  }
}

function whyOver(failure: RunFailure): Parameters<JobStory['over']>[0] {
  if (failure.kind === 'no-such-job') return { kind: 'gone' };
  return { kind: 'strange', detail: 'detail' in failure ? failure.detail : failure.kind };
}

/** Pauses between attempts to reach the service; the last one goes on. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const;

/** Fetches again and again while that fails for a reason that will pass. */
async function persist<T>(
  fetch: (signal: AbortSignal) => Promise<RunAnswer<T>>,
  { pause }: FollowTools,
  signal: AbortSignal,
  isLost: () => void,
): Promise<RunAnswer<T>> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await fetch(signal);
    if (answer.kind === 'ok' || signal.aborted || !isPassing(answer.failure)) return answer;
    isLost();
    const usual = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0;
    const { failure } = answer;
    await pause('retryAfterMs' in failure ? (failure.retryAfterMs ?? usual) : usual, signal);
  }
}

/** Whether a failure is likely to pass. A proxy in front of a service that restarts says 502 or 503. */
function isPassing({ kind }: RunFailure): boolean {
  switch (kind) {
    case 'unreachable':
    case 'busy':
    case 'rate-limited':
    case 'fault':
      return true;
    case 'no-such-job':
    case 'refused':
    case 'not-a-service':
    case 'stopped':
      return false;
  }
}

/** Why listening has ended: the job has, the browser gave up, or what came was no event. */
type Listened = 'ended' | 'closed' | 'strange';

/** Listens to the events of a job. */
function listen(
  id: string,
  { openStream, now }: FollowTools,
  story: JobStory,
  signal: AbortSignal,
): Promise<Listened> {
  return new Promise((resolve) => {
    const end = (how: Listened) => {
      close();
      forget();
      resolve(how);
    };
    const close = openStream(id, {
      event: (event, number) => {
        story.heard(event, number, now());
        if (event.event === 'complete') end('ended');
      },
      connection: (state) => story.connected(state),
      closed: () => end('closed'),
      strange: (detail) => {
        story.over({ kind: 'strange', detail });
        end('strange');
      },
    });
    const forget = onAbort(signal, () => end('closed'));
  });
}

/** How often the server list is asked for until it is ready. */
const SERVERS_EVERY_MS = 1_000;

/** Without a list, what was shown stays. */
async function hearServers(
  id: string,
  tools: FollowTools,
  story: JobStory,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const servers = await persist(
      (one) => tools.fetchServers(id, one),
      tools,
      signal,
      () => undefined,
    );
    if (servers.kind === 'failed') return;
    if (servers.value !== 'pending') {
      story.identified(servers.value);
      return;
    }
    await tools.pause(SERVERS_EVERY_MS, signal);
  }
}

/** How often the place of a job in the queue is asked for. */
const EVERY_MS = 3_000;

/** Keeps telling how many jobs go before one that waits, until it starts. What cannot be fetched is left as it was. */
async function followPlace(
  id: string,
  { fetchJob, pause, now }: FollowTools,
  story: JobStory,
  signal: AbortSignal,
): Promise<void> {
  while (story.stage.kind === 'queued' && story.stage.ahead !== undefined) {
    await pause(EVERY_MS, signal);
    if (signal.aborted) return;
    const job = await fetchJob(id, signal);
    // Events tell all that comes after.
    if (signal.aborted || story.stage.kind !== 'queued') return;
    if (job.kind === 'ok' && job.value.status === 'queued') story.fetched(job.value, now());
  }
}

/** The I/O and the clock for following a job. */
export interface FollowTools {
  readonly fetchJob: (id: string, signal: AbortSignal) => Promise<RunAnswer<FetchedJob>>;
  readonly fetchServers: (id: string, signal: AbortSignal) => Promise<RunAnswer<ServerList | 'pending'>>;
  readonly openStream: (id: string, listener: StreamListener) => () => void;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since some moment. */
  readonly now: () => number;
}
