import type { Follower } from './follower.ts';

/** Whether there is a connection, and since when not. */
export class Link {
  readonly #follower: Follower;
  readonly #lostMs: number;
  #state: 'new' | 'up' | 'down' = 'new';
  #lostAt = 0;

  constructor(follower: Follower, lostMs: number) {
    this.#follower = follower;
    this.#lostMs = lostMs;
  }

  up(): void {
    if (this.#state === 'down') this.#follower.connection('back');
    this.#state = 'up';
  }

  down(): void {
    if (this.#state === 'up') {
      this.#lostAt = performance.now();
      this.#follower.connection('lost');
    }
    this.#state = 'down';
  }

  /** Whether a connection that failed now may be had again: not if there never was one. */
  isWorthWaiting(): boolean {
    if (this.#state === 'down') return performance.now() - this.#lostAt < this.#lostMs;
    return this.#state === 'up';
  }
}
