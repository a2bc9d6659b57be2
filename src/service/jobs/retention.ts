import type { Clock } from '../../base/clock.ts';
import { getOrMake } from '../../base/memo.ts';

/**
 * Decides which ended jobs are kept: each for its time, and as many as fit, by number and by memory. The
 * party that keeps most makes room, with what ended first of its own, so that nobody's goes for the sake
 * of somebody who keeps more. The one that ended last stays, however large it is, until the next ends:
 * there is always time to read it. So there can be one more than fits.
 */
export class Retention<T extends Kept> {
  readonly #rules: RetentionRules;
  readonly #clock: Clock;
  readonly #forget: (kept: T, why: Gone) => void;
  /** In the order they ended. */
  readonly #kept = new Map<T, { readonly until: number; bytes: number }>();
  readonly #shares = new Map<string, Share<T>>();
  #newest: T | undefined;
  #bytes = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(rules: RetentionRules, clock: Clock, forget: (kept: T, why: Gone) => void) {
    this.#rules = rules;
    this.#clock = clock;
    this.#forget = forget;
  }

  get count(): number {
    return this.#kept.size;
  }

  /** All that is kept, in the order in which it ended. */
  get kept(): Iterable<T> {
    return this.#kept.keys();
  }

  /** Octets that everything kept takes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps one more, which ends later than all others, and forgets others to make room. */
  keep(one: T, forMs = this.#rules.retainMs): void {
    this.#kept.set(one, { until: this.#clock.now() + forMs, bytes: 0 });
    getOrMake(this.#shares, one.party, () => ({ kept: new Set<T>(), bytes: 0 })).kept.add(one);
    this.#newest = one;
    this.weigh(one);
    this.#schedule();
  }

  /** Measures again how much memory one takes. */
  weigh(one: T): void {
    const entry = this.#kept.get(one);
    if (entry === undefined) return;
    this.#add(one, one.bytes - entry.bytes);
    entry.bytes = one.bytes;
    this.#shrink();
  }

  /** Stops the timer; what is kept stays. */
  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #add(one: T, bytes: number): void {
    this.#bytes += bytes;
    const share = this.#shares.get(one.party);
    if (share !== undefined) share.bytes += bytes;
  }

  #shrink(): void {
    for (let victim = this.#victim(); victim !== undefined; victim = this.#victim()) {
      this.#drop(victim, 'no-room');
    }
  }

  /** The job to drop next; undefined if all fit, or if only the newest job is too much. */
  #victim(): T | undefined {
    const { maxRetained, maxRetainedBytes } = this.#rules;
    if (this.count > maxRetained) return this.#oldestOfLargest(({ kept }) => kept.size);
    if (this.#bytes > maxRetainedBytes) return this.#oldestOfLargest(({ bytes }) => bytes);
    return undefined;
  }

  /** The oldest job of the client with the largest share; the newest job is never dropped. */
  #oldestOfLargest(measure: (share: Share<T>) => number): T | undefined {
    let most = 0;
    let oldest: T | undefined;
    for (const share of this.#shares.values()) {
      const size = measure(share);
      if (size < most) continue;
      if (size > most) oldest = undefined;
      most = size;
      const [first] = share.kept;
      if (first !== this.#newest && this.#until(first) < this.#until(oldest)) oldest = first;
    }
    return oldest;
  }

  #until(one: T | undefined): number {
    const entry = one === undefined ? undefined : this.#kept.get(one);
    return entry?.until ?? Number.POSITIVE_INFINITY;
  }

  #schedule(): void {
    const [oldest] = this.#kept.values();
    if (oldest === undefined || this.#cancelTimer !== undefined) return;
    const wait = Math.min(Math.max(0, oldest.until - this.#clock.now()), MAX_WAIT_MS);
    this.#cancelTimer = this.#clock.after(wait, () => {
      this.#cancelTimer = undefined;
      this.#expire();
      this.#schedule();
    });
  }

  #expire(): void {
    const now = this.#clock.now();
    for (const [one, { until }] of this.#kept) {
      if (until > now) return;
      this.#drop(one, 'time');
    }
  }

  #drop(one: T, why: Gone): void {
    this.#add(one, -(this.#kept.get(one)?.bytes ?? 0));
    this.#kept.delete(one);
    const share = this.#shares.get(one.party);
    share?.kept.delete(one);
    if (share?.kept.size === 0) this.#shares.delete(one.party);
    if (one === this.#newest) this.#newest = undefined;
    this.#forget(one, why);
  }
}

/** The limits on ended jobs. */
export interface RetentionRules {
  readonly retainMs: number;
  readonly maxRetained: number;
  readonly maxRetainedBytes: number;
}

interface Kept {
  readonly bytes: number;
  /** The client that it belongs to. */
  readonly party: string;
}

/** Why something is no longer kept: its time is over, or there is no room for it. */
type Gone = 'time' | 'no-room';

/** The ended jobs of one client, oldest first. */
interface Share<T> {
  readonly kept: Set<T>;
  bytes: number;
}

/** A timer cannot wait longer than 24 days; a check once a day costs nothing. */
const MAX_WAIT_MS = 86_400_000;
