/* Repeats what needs the store. */

import { onAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isStoreTrouble } from './trouble.ts';

/** What a loop needs from outside. */
interface LoopSurroundings {
  readonly everyMs: () => number;
  readonly clock: Clock;
  /** Is told why a round failed. The next comes all the same. */
  readonly failed: (error: unknown) => void;
}

/** Does something again and again, so long after it was done last, and whenever it is woken. */
export class Loop {
  readonly #round: () => Promise<unknown>;
  readonly #around: LoopSurroundings;
  /** A round is to begin as soon as none runs. */
  #isWoken = false;
  #cancelTimer = () => {};
  #stopped = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(round: () => Promise<unknown>, around: LoopSurroundings) {
    this.#round = round;
    this.#around = around;
  }

  /** Whether there is no further round. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Resolves when all is done that was asked for until now. */
  get idle(): Promise<void> {
    return this.#idle;
  }

  /** Begins the first round later, unless it is woken. */
  begin(): void {
    const { clock, everyMs } = this.#around;
    if (!this.#stopped) this.#cancelTimer = clock.after(everyMs(), () => this.wake());
  }

  /** Begins a round at once, or after the one that runs. */
  wake(): void {
    if (this.#isWoken || this.#stopped) return;
    this.#isWoken = true;
    this.#cancelTimer();
    this.#idle = this.#idle.then(() => this.#run());
  }

  /** Begins no further round, and resolves when the last is over. */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    return this.#idle;
  }

  async #run(): Promise<void> {
    if (this.#stopped) return;
    this.#isWoken = false;
    await this.#round().catch(this.#around.failed);
    if (!this.#isWoken) this.begin();
  }
}

/** How long to wait before the store is asked again. */
const AGAIN_MS = 500;

/**
 * Does something again and again until the store is there for it. Undefined if that failed and `signal` says that it is no
 * longer wanted. Rejects for a bug.
 */
export async function retried<T>(
  what: () => Promise<T>,
  clock: Clock,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (;;) {
    try {
      return await what();
    } catch (error) {
      if (!isStoreTrouble(error)) throw error;
    }
    if (signal.aborted) return undefined;
    await rest(AGAIN_MS, clock, signal);
  }
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
