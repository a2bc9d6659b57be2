import { SECOND_MS } from '../../../exchange/allowance.ts';

/** Counts the packets of the last second, among them those that are about to leave. */
export class MovingSecond {
  #staying = 0;
  /** When those that have left did, in order; those before `#first` are too old to count. */
  #moments: number[] = [];
  #first = 0;

  count(now: number): number {
    this.#forget(now);
    return this.#staying + this.#moments.length - this.#first;
  }

  /** Milliseconds until fewer than `most` count; infinite if that needs one to leave, or `most` is 0. */
  untilFewer(most: number, now: number): number {
    const tooMany = this.count(now) - most;
    if (tooMany < 0) return 0;
    const last = this.#moments[this.#first + tooMany];
    return last === undefined ? Number.POSITIVE_INFINITY : last + SECOND_MS - now;
  }

  take(): void {
    this.#staying += 1;
  }

  left(now: number): void {
    this.#staying -= 1;
    this.#moments.push(now);
  }

  #forget(now: number): void {
    while ((this.#moments[this.#first] ?? now) + SECOND_MS <= now) this.#first += 1;
    // Shortening the list each time would copy it each time.
    if (this.#first < 64 || this.#first * 2 < this.#moments.length) return;
    this.#moments = this.#moments.slice(this.#first);
    this.#first = 0;
  }
}
