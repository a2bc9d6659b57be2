/* Repeats what needs the store, until the store is there for it. */

import { onAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import { isStoreTrouble } from '../trouble.ts';

/** How long to wait before the store is asked again. */
const AGAIN_MS = 500;

/**
 * Does something again and again until the store is there for it. Undefined once `signal` says that it is no longer
 * wanted. Rejects for a bug.
 */
export async function retried<T>(
  what: () => Promise<T>,
  clock: Clock,
  signal: AbortSignal,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await what();
    } catch (error) {
      if (!isStoreTrouble(error)) throw error;
    }
    await rest(AGAIN_MS, clock, signal);
  }
  return undefined;
}

/** Resolves after a while, or when the signal is aborted. */
function rest(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      cancelTimer();
      stay();
      resolve();
    };
    const cancelTimer = clock.after(ms, wake);
    const stay = onAbort(signal, wake);
  });
}

/** Does something again and again, so long after it was done. `run` must not reject. Returns a function that ends it. */
export function again(run: () => Promise<void>, everyMs: number, clock: Clock): () => void {
  let stopped = false;
  let cancelTimer = () => {};
  const schedule = () => {
    if (!stopped) cancelTimer = clock.after(everyMs, () => void run().then(schedule));
  };
  schedule();
  return () => {
    stopped = true;
    cancelTimer();
  };
}
