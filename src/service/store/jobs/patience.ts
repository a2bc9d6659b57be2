import { onAbort } from '../../../abort.ts';
import type { Clock } from '../../../exchange/clock.ts';
import { isStoreTrouble } from '../connection/trouble.ts';

/** How long to wait before the store is asked again. */
const AGAIN_MS = 500;

/**
 * Does something again and again until the store is there for it. Undefined once `signal` says that it is no longer
 * wanted. Rejects for a bug.
 */
export async function patiently<T>(
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
