import { onAbort } from '../base/abort.ts';
import type { TraversalOptions } from '../base/options.ts';
import type { QueryLimit, TimeLimit } from './recording.ts';

/** What bounds one traversal, or what is left of it. */
export interface Budget {
  /** Distinct questions asked. */
  readonly maxQueries: number;
  /** Milliseconds. */
  readonly maxTimeMs: number;
  /** Packets sent, and connections opened; absent: any number. */
  readonly maxPackets?: number;
  /** Octets of DNS messages received; absent: any number. */
  readonly maxOctets?: number;
  /** What has been used of it; absent: nothing. */
  readonly spent?: Spent;
}

/** What has been used of a budget. */
export interface Spent {
  readonly packets: number;
  readonly timeMs: number;
}

/** What has been used when nothing has begun. */
export const NOTHING_SPENT: Spent = { packets: 0, timeMs: 0 };

/** The budget that options allow, of which some may be spent. */
export function budgetOf(options: TraversalOptions, spent: Spent = NOTHING_SPENT): Budget {
  const { maxQueries, maxTimeMs, maxPackets, payloadSize } = options;
  const maxOctets = Math.max(USUALLY_HEARD, maxQueries * payloadSize);
  return { maxQueries, maxTimeMs, maxOctets, spent, ...(maxPackets === undefined ? {} : { maxPackets }) };
}

/**
 * Octets that a traversal may always hear: two and a half times what 5,000 replies over UDP can hold.
 * Every reply is kept until the end, and over TCP one can be fifty times the usual size.
 */
const USUALLY_HEARD = 16 * 1024 * 1024;

/** What cut something short, other than the number of questions. */
export type CutShort = QueryLimit | Omit<TimeLimit, 'reason'> | { readonly kind: 'cancelled' };

/** Stops what runs within a budget when that is used up or its caller wants it stopped. */
export class BudgetGuard {
  // Not `AbortSignal.any`: once its signal has had a listener, Node keeps it for ever.
  readonly #stop = new AbortController();
  readonly #budget: Budget;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #forget: () => void;
  #packets: number;
  #octets = 0;
  #why: CutShort | undefined;

  /** From now on the time counts, until `release`. */
  constructor(budget: Budget, signal: AbortSignal) {
    this.#budget = budget;
    const { maxTimeMs: limit, spent = NOTHING_SPENT } = budget;
    this.#packets = spent.packets;
    const leftMs = Math.max(0, limit - spent.timeMs);
    this.#timer = setTimeout(() => this.#cut({ kind: 'time-limit', limit }), leftMs);
    this.#forget = onAbort(signal, () => this.cancel());
    // Nothing is to begin then.
    if (signal.aborted) this.cancel();
  }

  /** Is aborted when it is over. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** What came first; undefined as long as nothing did. */
  get why(): CutShort | undefined {
    return this.#why;
  }

  /** What of the budget is left. The number of questions is not counted here. */
  get left(): Budget {
    const { maxOctets, spent = NOTHING_SPENT } = this.#budget;
    const timeMs = spent.timeMs + performance.now() - this.#startedAt;
    return {
      ...this.#budget,
      spent: { packets: this.#packets, timeMs },
      ...(maxOctets === undefined ? {} : { maxOctets: maxOctets - this.#octets }),
    };
  }

  /** A packet is about to leave. */
  send(): void {
    const { maxPackets: limit } = this.#budget;
    this.#packets += 1;
    if (limit !== undefined && this.#packets > limit)
      this.#cut({ kind: 'query-limit', limit, unit: 'packets' });
  }

  /** So many octets have come in. */
  hear(octets: number): void {
    const { maxOctets: limit } = this.#budget;
    this.#octets += octets;
    if (limit !== undefined && this.#octets > limit)
      this.#cut({ kind: 'query-limit', limit, unit: 'octets' });
  }

  cancel(): void {
    this.#cut({ kind: 'cancelled' });
  }

  /** Nothing runs any more. */
  release(): void {
    clearTimeout(this.#timer);
    this.#forget();
  }

  #cut(by: CutShort): void {
    this.#why ??= by;
    this.#stop.abort();
  }
}
