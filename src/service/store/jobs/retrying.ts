import { onAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import { isStoreTrouble } from '../connection/trouble.ts';

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

/** How often each instance offers to look. */
const EVERY_MS = 5_000;

/** Looks again and again for jobs that have dropped out of the queue, and lets them wait there again. */
export class Sweeper {
  readonly #sweep: () => Promise<void>;
  readonly #clock: Clock;
  #cancelTimer: () => void = () => {};
  #state: 'running' | 'stopped' = 'running';

  /** `sweep` must not reject. */
  constructor(sweep: () => Promise<void>, clock: Clock) {
    this.#sweep = sweep;
    this.#clock = clock;
    this.#schedule();
  }

  stop(): void {
    this.#state = 'stopped';
    this.#cancelTimer();
  }

  #schedule(): void {
    if (this.#state === 'stopped') return;
    this.#cancelTimer = this.#clock.after(EVERY_MS, () => void this.#sweep().then(() => this.#schedule()));
  }
}
