import { onAbort } from '../../abort.ts';
import { type ApiAnswer, failed, ok } from '../../client/failure.ts';
import { letOthersRun, type Pausable, runInSlices } from '../../pausable.ts';
import { threadTime } from '../../work/thread-time.ts';

/** The time that is left once a command is interrupted. */
export interface Grace {
  readonly signal: AbortSignal;
  /** Leaves no more time. */
  readonly end: () => void;
  /** Stops listening. */
  readonly stop: () => void;
}

/**
 * How long ending a job, fetching what was known and evaluating it may still take together once a command is
 * interrupted, in milliseconds: it has ended within two seconds.
 */
const GRACE_MS = 1_700;

/**
 * A signal that is aborted a little later than another, or than now if that has been aborted. Time in which a busy
 * machine keeps this thread waiting for a processor does not count: nothing can be done in it.
 */
export function graceAfter(signal: AbortSignal, graceMs = GRACE_MS, timeOfThread = threadTime): Grace {
  const controller = new AbortController();
  const end = () => controller.abort();
  return { signal: controller.signal, end, stop: afterGrace(signal, end, graceMs, timeOfThread) };
}

/** Calls `run` when such a signal would be aborted; the function it returns prevents that. Costs less than a signal. */
export function afterGrace(
  signal: AbortSignal,
  run: () => void,
  graceMs = GRACE_MS,
  timeOfThread = threadTime,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const since = timeOfThread();
    const look = () => {
      const leftMs = since + graceMs - timeOfThread();
      if (leftMs < 1) run();
      else timer = setTimeout(look, leftMs);
    };
    timer = setTimeout(look, graceMs);
  };
  const forget = onAbort(signal, wait);
  return () => {
    forget();
    clearTimeout(timer);
  };
}

/** How long evaluating what was known may still take, in milliseconds. */
const WORK_GRACE_MS = 1_000;

/** Does the work in slices. Once `signal` is aborted it is given up as stopped unless it ends soon. */
export async function runUnlessStopped<T>(
  work: Pausable<T>,
  signal: AbortSignal,
  graceMs = WORK_GRACE_MS,
): Promise<ApiAnswer<T>> {
  const grace = graceAfter(signal, graceMs);
  try {
    return await runUntil(work, grace.signal);
  } finally {
    grace.stop();
  }
}

/** Does the work in slices. Once `signal` is aborted it is given up as stopped. */
export async function runUntil<T>(work: Pausable<T>, signal: AbortSignal): Promise<ApiAnswer<T>> {
  const breathe = async () => {
    await letOthersRun();
    signal.throwIfAborted();
  };
  try {
    return ok(await runInSlices(work, { breathe }));
  } catch (error) {
    if (signal.aborted) return failed({ kind: 'stopped' });
    throw error;
  }
}
