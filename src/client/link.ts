import type { Follower } from './follower.ts';

/** A connection that is there for so long was not made only to be closed. */
const LASTING_MS = 5_000;

/** Whether there is a connection, and since when not. */
export class Link {
  readonly #follower: Follower;
  readonly #lostMs: number;
  #state: 'new' | 'up' | 'down' = 'new';
  #brought: 'nothing' | 'something' = 'nothing';
  #upAt = 0;
  #lostAt = performance.now();

  constructor(follower: Follower, lostMs: number) {
    this.#follower = follower;
    this.#lostMs = lostMs;
  }

  up(): void {
    if (this.#state === 'down') this.#follower.connection('back');
    this.#state = 'up';
    this.#brought = 'nothing';
    this.#upAt = performance.now();
  }

  /** An event came that was not known. */
  heard(): void {
    this.#brought = 'something';
  }

  down(): void {
    if (this.#state === 'up') {
      // A server that takes connections and says nothing is not worth more time than one that is away.
      if (this.#wasOfUse()) this.#lostAt = performance.now();
      this.#follower.connection('lost');
    }
    this.#state = 'down';
  }

  /** Whether a connection that failed now may be had again: not if there never was one. */
  isWorthWaiting(): boolean {
    if (this.#state === 'new') return false;
    if (this.#state === 'up' && this.#wasOfUse()) return true;
    return performance.now() - this.#lostAt < this.#lostMs;
  }

  /** A job that waits for its turn brings nothing for long: then it is enough that the connection lasted. */
  #wasOfUse(): boolean {
    return this.#brought === 'something' || performance.now() - this.#upAt >= LASTING_MS;
  }
}
