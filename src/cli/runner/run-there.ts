import { onAbort } from '../../abort.ts';
import { followEvents } from '../../client/events.ts';
import type { ApiAnswer } from '../../client/failure.ts';
import { cancelJob, startJob, type TraversalBody } from '../../client/jobs.ts';
import type { JobSight } from './job-sight.ts';

/** The last event that somebody is interested in. */
export type Until = 'complete' | 'servers';

/** How long a request may still take when its command is interrupted. */
const HURRY_MS = 2_000;

/**
 * Starts a job on a server and follows it; gives its identifier. What was started here is cancelled
 * when `sight.signal` is aborted, and followed to its end then, which comes soon.
 */
export async function runThere(
  server: URL,
  body: TraversalBody,
  until: Until,
  sight: JobSight,
): Promise<ApiAnswer<string>> {
  const hurry = hurried(sight.signal);
  try {
    const started = await startJob(server, body, hurry.signal);
    if (started.kind === 'failed') return started;
    const id = started.value;
    const followed = await followOwn(server, id, until, { ...sight, hurry: hurry.signal });
    return followed.kind === 'failed' ? followed : started;
  } finally {
    hurry.stop();
  }
}

/** Follows a job that somebody started, and leaves it alone when told to stop. */
export async function followThere(
  server: URL,
  id: string,
  until: Until,
  { emit, connection, signal }: JobSight,
): Promise<ApiAnswer<void>> {
  const event = follower(until, emit, () => 'no');
  return await followEvents(server, id, { event, connection }, signal);
}

async function followOwn(
  server: URL,
  id: string,
  until: Until,
  { emit, connection, signal, hurry }: JobSight & { readonly hurry: AbortSignal },
): Promise<ApiAnswer<void>> {
  const unheard = new AbortController();
  const cancel = () =>
    void cancelJob(server, id, hurry).then(({ kind }) => {
      // Whoever cannot be told to stop will not tell of the end either.
      if (kind === 'failed') unheard.abort();
    });
  const forget = onAbort(signal, cancel);
  if (signal.aborted) cancel();
  const event = follower(until, emit, () => (signal.aborted ? 'yes' : 'no'));
  try {
    return await followEvents(server, id, { event, connection }, unheard.signal);
  } finally {
    forget();
  }
}

function follower(until: Until, emit: JobSight['emit'], interrupted: () => 'yes' | 'no') {
  return (event: Parameters<typeof emit>[0]) => {
    emit(event);
    const last = event.event === until || (event.event === 'complete' && interrupted() === 'yes');
    return last ? 'enough' : 'go-on';
  };
}

/** A signal that is aborted a little later than another. */
function hurried(signal: AbortSignal) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const hurry = () => {
    timer = setTimeout(() => controller.abort(), HURRY_MS);
  };
  const forget = onAbort(signal, hurry);
  if (signal.aborted) hurry();
  const stop = () => {
    forget();
    clearTimeout(timer);
  };
  return { signal: controller.signal, stop };
}
