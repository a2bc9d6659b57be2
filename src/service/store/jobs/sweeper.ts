import type { Clock } from '../../../exchange/clock.ts';

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
