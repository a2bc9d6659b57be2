import { onAbort } from '../../abort.ts';
import { followEvents, type ServerContact } from '../../client/events.ts';
import type { ApiAnswer } from '../../client/failure.ts';
import type { Follower } from '../../client/follower.ts';
import { cancelJob, startJob } from '../../client/jobs.ts';
import type { RequestBody } from '../../document/api/request.ts';
import type { JobEvent } from '../../document/events.ts';
import { ONCE, type RemoteCalls } from './calls.ts';
import type { RunObserver } from './observer.ts';

/** The last event that somebody is interested in. */
type LastEvent = 'complete' | 'servers';

/**
 * Starts a job at a server and follows it; gives its identifier. Once `observer.signal` is aborted the
 * job is cancelled, and followed to its end, which has to come before `grace` is aborted.
 */
export async function runRemoteJob(
  server: URL,
  { last, ...body }: RemoteJob,
  observer: RunObserver,
  grace: AbortSignal,
  { start, read, contact }: RemoteCalls = ONCE,
): Promise<ApiAnswer<string>> {
  const started = await start(() => startJob(server, body, grace), observer.signal);
  if (started.kind === 'failed') return started;
  const job = { server, id: started.value, last, contact };
  const followed = await read(() => followOwn(job, observer, grace), grace);
  return followed.kind === 'failed' ? followed : started;
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
export async function followJob(
  { server, id, last, contact }: FollowedJob,
  observer: RunObserver,
): Promise<ApiAnswer<void>> {
  const follower = followerOf(observer, ({ event }) => event === last);
  return await followEvents({ server, id, contact }, follower, observer);
}

async function followOwn(
  { server, id, last, contact }: FollowedJob,
  observer: RunObserver,
  grace: AbortSignal,
): Promise<ApiAnswer<void>> {
  const { signal } = observer;
  const unheard = new AbortController();
  const cancel = () =>
    void cancelJob(server, id, grace).then(({ kind }) => {
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

function followerOf({ tell }: RunObserver, isLast: (event: JobEvent) => boolean): Follower {
  return {
    event: (event) => {
      tell?.(event);
      return isLast(event) ? 'enough' : 'go-on';
    },
    connection: (state) => tell?.({ event: 'connection', state }),
  };
}
