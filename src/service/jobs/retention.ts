import type { Clock } from '../../exchange/clock.ts';

/** What is kept, and for how long. */
export interface RetentionRules {
  readonly retainMs: number;
  readonly maxRetained: number;
  readonly maxRetainedBytes: number;
}

/** Something that takes memory. */
interface Kept {
  readonly bytes: number;
}

/**
 * Decides which ended jobs are kept: each for its time, and as many as fit, by number and by memory.
 * Those that ended first go first; the one that ended last stays, however large it is.
 */
export class Retention<T extends Kept> {
  readonly #rules: RetentionRules;
  readonly #clock: Clock;
  readonly #forget: (kept: T) => void;
  /** In the order they ended. */
  readonly #kept = new Map<T, { readonly until: number; bytes: number }>();
  #bytes = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(rules: RetentionRules, clock: Clock, forget: (kept: T) => void) {
    this.#rules = rules;
    this.#clock = clock;
    this.#forget = forget;
  }

  get count(): number {
    return this.#kept.size;
  }

  /** Octets that everything kept takes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps one more, and forgets others to make room. */
  keep(one: T): void {
    this.#kept.set(one, { until: this.#clock.now() + this.#rules.retainMs, bytes: one.bytes });
    this.#bytes += one.bytes;
    this.#shrink();
    this.#schedule();
  }

  /** Measures again how much memory one takes. */
  weigh(one: T): void {
    const entry = this.#kept.get(one);
    if (entry === undefined) return;
    this.#bytes += one.bytes - entry.bytes;
    entry.bytes = one.bytes;
    this.#shrink();
  }

  /** Stops the timer; what is kept stays. */
  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #shrink(): void {
    const { maxRetained, maxRetainedBytes } = this.#rules;
    for (const [one] of this.#kept) {
      const fits = this.count <= maxRetained && this.#bytes <= maxRetainedBytes;
      if (fits || this.count === 1) return;
      this.#drop(one);
    }
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
      this.#drop(one);
    }
  }

  #drop(one: T): void {
    this.#bytes -= this.#kept.get(one)?.bytes ?? 0;
    this.#kept.delete(one);
    this.#forget(one);
  }
}

/** A timer cannot wait longer than 24 days; a check once a day costs nothing. */
const MAX_WAIT_MS = 86_400_000;
