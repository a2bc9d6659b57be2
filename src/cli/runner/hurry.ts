import { onAbort } from '../../abort.ts';
import { type ApiAnswer, failed, ok } from '../../client/failure.ts';
import { letOthersRun, type Pausable, runInSlices } from '../../pausable.ts';
import { threadTime } from '../../work/thread-time.ts';

/** A wish to stop that leaves a little time. */
export interface Hurry {
  readonly signal: AbortSignal;
  /** Leaves no more time. */
  readonly end: () => void;
  /** Forgets the wish. */
  readonly stop: () => void;
}

/**
 * How long ending a job, fetching what was known and evaluating it may still take together once a command is
 * interrupted, in milliseconds: it has ended within two seconds.
 */
const HURRY_MS = 1_700;

/**
 * A signal that is aborted a little later than another, or than now if that has been aborted. Time in which a busy
 * machine keeps this thread waiting for a processor does not count: nothing can be done in it.
 */
export function hurryOnce(signal: AbortSignal, hurryMs = HURRY_MS, timeOfThread = threadTime): Hurry {
  const controller = new AbortController();
  const end = () => controller.abort();
  return { signal: controller.signal, end, stop: onceLate(signal, end, hurryMs, timeOfThread) };
}

/** Calls `run` when such a signal would be aborted; the function it returns prevents that. Costs less than a signal. */
export function onceLate(
  signal: AbortSignal,
  run: () => void,
  hurryMs = HURRY_MS,
  timeOfThread = threadTime,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const since = timeOfThread();
    const look = () => {
      const leftMs = since + hurryMs - timeOfThread();
      if (leftMs < 1) run();
      else timer = setTimeout(look, leftMs);
    };
    timer = setTimeout(look, hurryMs);
  };
  const forget = onAbort(signal, wait);
  return () => {
    forget();
    clearTimeout(timer);
  };
}

/** How long evaluating what was known may still take, in milliseconds. */
const HURRIED_WORK_MS = 1_000;

/** Does the work in slices. Once `signal` is aborted it is given up as stopped unless it ends soon. */
export async function runUnlessStopped<T>(
  work: Pausable<T>,
  signal: AbortSignal,
  hurryMs = HURRIED_WORK_MS,
): Promise<ApiAnswer<T>> {
  const hurry = hurryOnce(signal, hurryMs);
  try {
    return await runUntil(work, hurry.signal);
  } finally {
    hurry.stop();
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
