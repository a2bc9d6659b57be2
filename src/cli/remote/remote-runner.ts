import { onAbort } from '../../base/abort.ts';
import type { RequestBody, RequestOptions } from '../../document/api/request.ts';
import type { JobEvent } from '../../document/events.ts';
import type { TraversalResult } from '../../document/result.ts';
import { failed, ok, type RunAnswer } from '../../document/run-answer.ts';
import { withNodeCrypto } from '../../traversal/node-replay.ts';
import { replaying } from '../../traversal/replay.ts';
import { type Grace, graceAfter } from '../process/interruption.ts';
import type { Evaluating, Runner, RunObserver } from '../runner/runner.ts';
import { followEvents, type ServerContact } from './events.ts';
import type { Follower } from './job-events.ts';
import { cancelJob, type JobView, readJob, readServers, type StartedJob, startJob } from './jobs.ts';

/** A runner that has a server do the work, but for evaluating what was recorded. */
export function remoteRunner(
  server: URL,
  options: RequestOptions,
  evaluate: Evaluating = replaying,
  calls: RemoteCalls = ONCE,
): Runner {
  return {
    traverse: async (question, observer) => {
      const grace = graceAfter(observer.signal);
      try {
        const wanted = { ...question, options, last: 'complete' } as const;
        const job = await runRemoteJob(server, wanted, observer, grace.signal, calls);
        return job.kind === 'failed'
          ? job
          : await readResultOf({ server, id: job.value, evaluate, calls }, observer, grace);
      } finally {
        grace.stop();
      }
    },
    identify: async (question, observer) => {
      const grace = graceAfter(observer.signal);
      const wanted = { ...question, options, last: 'servers' } as const;
      const job = await runRemoteJob(server, wanted, observer, grace.signal, calls).finally(grace.stop);
      return job.kind === 'failed' ? job : ok(undefined);
    },
    close: async () => {},
  };
}

/** Follows a job that a server has, from its first event to its last. */
export function watchJob(server: URL, id: string, observer: RunObserver): Promise<RunAnswer<void>> {
  return followJob({ server, id, last: 'servers' }, observer);
}

/** Tells of the server list of a job that a server has; if it is not ready, of all events up to it. */
export async function awaitServers(server: URL, id: string, observer: RunObserver): Promise<RunAnswer<void>> {
  const list = await readServers(server, id, observer.signal);
  if (list.kind === 'failed') return list;
  if (list.value === 'pending')
    return await followJob({ server, id, last: 'servers', contact: 'made' }, observer);
  observer.tell?.({ event: 'servers', ...list.value });
  return ok(undefined);
}

/**
 * The result of a job that has ended. What the server recorded is evaluated again here, which gives the
 * same numbers and takes nothing on trust.
 */
async function readResultOf(
  { server, id, evaluate, calls }: EndedJob,
  { signal, heardAll }: RunObserver,
  grace: Grace,
): Promise<RunAnswer<TraversalResult>> {
  const heardJob = (octets: number) => {
    heardAll?.();
    if (signal.aborted && octets > MOST_READ_WITHIN_GRACE) grace.end();
  };
  // Even after an interruption: the job has been cancelled, and what was known is on its way.
  const job = await calls.read(() => readJob(server, id, grace.signal, heardJob), grace.signal);
  return job.kind === 'failed' ? job : resultOf(job.value, evaluate, grace.signal);
}

interface EndedJob {
  readonly server: URL;
  readonly id: string;
  readonly evaluate: Evaluating;
  readonly calls: RemoteCalls;
}

/** Octets of a result that are read in a moment, whatever they hold. */
const MOST_READ_WITHIN_GRACE = 8 * 1_024 * 1_024;

function resultOf(
  { status, startedAt, result, error }: JobView,
  evaluate: Evaluating,
  grace: AbortSignal,
): RunAnswer<TraversalResult> {
  if (result !== undefined)
    return grace.aborted ? failed({ kind: 'stopped' }) : ok(evaluate(withNodeCrypto(result)));
  // A job cancelled before its turn knows nothing.
  if (status === 'cancelled') return failed({ kind: 'stopped' });
  // A job that failed before its turn was crowded out of a full queue.
  if (error !== undefined && startedAt === undefined) return failed({ kind: 'busy', detail: error.detail });
  return failed({ kind: 'fault', detail: error?.detail ?? `a job is ${status} and has no result` });
}

/** The last event that somebody is interested in. */
type LastEvent = 'complete' | 'servers';

/**
 * Starts a job at a server and follows it; gives its identifier. Once `observer.signal` is aborted the
 * job is cancelled, and followed to its end, which has to come before `grace` is aborted.
 */
async function runRemoteJob(
  server: URL,
  { last, ...body }: RemoteJob,
  observer: RunObserver,
  grace: AbortSignal,
  { start, read, contact }: RemoteCalls = ONCE,
): Promise<RunAnswer<string>> {
  const started = await start(() => startJob(server, body, grace), observer.signal);
  if (started.kind === 'failed') return started;
  const job = { server, ...started.value, last, contact };
  const followed = await read(() => followOwn(job, observer, grace), grace);
  return followed.kind === 'failed' ? followed : ok(job.id);
}

/** A job to start, and the last event of it that somebody is interested in. */
type RemoteJob = RequestBody & { readonly last: LastEvent };

/** A job at a server, and the last event of it that somebody is interested in. */
interface FollowedJob {
  readonly server: URL;
  readonly id: string;
  readonly last: LastEvent;
  readonly contact?: ServerContact | undefined;
}

/** Follows a job that somebody else started, and leaves it running when it is to stop. */
async function followJob(
  { server, id, last, contact }: FollowedJob,
  observer: RunObserver,
): Promise<RunAnswer<void>> {
  const follower = followerOf(observer, ({ event }) => event === last);
  return await followEvents({ server, id, contact }, follower, observer);
}

async function followOwn(
  { server, id, cancel: token, last, contact }: FollowedJob & StartedJob,
  observer: RunObserver,
  grace: AbortSignal,
): Promise<RunAnswer<void>> {
  const { signal } = observer;
  const unheard = new AbortController();
  const cancel = () =>
    void cancelJob(server, { id, ...(token !== undefined && { cancel: token }) }, grace).then(({ kind }) => {
      // A server that cannot be told to stop will not tell of the end either.
      if (kind === 'failed') unheard.abort();
    });
  const forget = onAbort(signal, cancel);
  const forgetGrace = onAbort(grace, () => unheard.abort());
  const isLast = ({ event }: JobEvent) => event === last || (event === 'complete' && signal.aborted);
  try {
    return await followEvents({ server, id, contact }, followerOf(observer, isLast), unheard);
  } finally {
    forget();
    forgetGrace();
  }
}

function followerOf({ tell, room }: RunObserver, isLast: (event: JobEvent) => boolean): Follower {
  return {
    event: (event) => {
      tell?.(event);
      return isLast(event) ? 'enough' : 'go-on';
    },
    connection: (state) => tell?.({ event: 'connection', state }),
    ...(room && { room }),
  };
}

/** Makes a call of a service, perhaps again where that may help. Once `signal` is aborted it waits no longer. */
export type CallPolicy = <T>(call: () => Promise<RunAnswer<T>>, signal: AbortSignal) => Promise<RunAnswer<T>>;

/** How the calls for a job are made. */
export interface RemoteCalls {
  /** The one that starts it. */
  readonly start: CallPolicy;
  /** Those that follow it, and read what came of it. */
  readonly read: CallPolicy;
  /** Whether the one that follows a started job waits for its first connection, as for any other; absent: `read` does. */
  readonly contact?: ServerContact;
}

/** Each call once. */
const ONCE: RemoteCalls = { start: (call) => call(), read: (call) => call(), contact: 'made' };
