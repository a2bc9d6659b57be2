import type { JobEvent } from '../../document/events.ts';

/** A connection that lasts this long was not accepted only to be closed. */
const LASTING_MS = 5_000;

/** Whether there is a connection, or since when it has been lost. */
export class Link {
  readonly #follower: Follower;
  readonly #lostMs: number;
  readonly #now: () => number;
  #state: 'new' | 'up' | 'down';
  #brought: 'nothing' | 'something' = 'nothing';
  #upAt: number;
  #lostAt: number;

  /** `state`: "up" if the server has just replied to something else. */
  constructor(follower: Follower, lostMs: number, now: () => number, state: 'new' | 'up' = 'new') {
    this.#follower = follower;
    this.#lostMs = lostMs;
    this.#now = now;
    this.#state = state;
    this.#upAt = now();
    this.#lostAt = now();
  }

  up(): void {
    if (this.#state === 'down') this.#follower.connection('back');
    this.#state = 'up';
    this.#brought = 'nothing';
    this.#upAt = this.#now();
  }

  /** A new event came. */
  heard(): void {
    this.#brought = 'something';
  }

  down(): void {
    if (this.#state === 'up') {
      // A server that accepts connections and sends nothing gets no more time than one that is down.
      if (this.#wasOfUse()) this.#lostAt = this.#now();
      this.#follower.connection('lost');
    }
    this.#state = 'down';
  }

  /** Whether to wait for the connection to be restored. Not if there never was one. */
  isWorthWaiting(): boolean {
    if (this.#state === 'new') return false;
    if (this.#state === 'up' && this.#wasOfUse()) return true;
    return this.#now() - this.#lostAt < this.#lostMs;
  }

  /** A queued job sends nothing for a long time: then it is enough that the connection lasted. */
  #wasOfUse(): boolean {
    return this.#brought === 'something' || this.#now() - this.#upAt >= LASTING_MS;
  }
}

/** Who follows a job's events. */
export interface Follower {
  /** Receives each event once, in order, and says when it has seen enough. */
  readonly event: (event: JobEvent) => 'go-on' | 'enough';
  /** The connection was lost, and is being restored; or it is back. */
  readonly connection: (state: 'lost' | 'back') => void;
}
