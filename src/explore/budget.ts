import { onAbort } from '../base/abort.ts';
import type { QueryLimit, TimeLimit } from './recording.ts';

/** What bounds one traversal, or what is left of it. */
export interface Budget {
  /** Distinct questions asked. */
  readonly maxQueries: number;
  /** Milliseconds. */
  readonly maxTimeMs: number;
  /** Packets sent, and connections opened; absent: any number. */
  readonly maxPackets?: number;
  /** Octets of DNS messages received, beyond the usual ones of each exchange; absent: any number. */
  readonly maxOctets?: number;
  /** Octets that an exchange may bring without counting; absent: none. */
  readonly usualOctets?: number;
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

/** The options that a budget follows from. */
interface Allowed extends Pick<Budget, 'maxQueries' | 'maxTimeMs'> {
  readonly maxPackets?: number | undefined;
  readonly payloadSize: number;
}

/** The budget that options allow, of which some may be spent. */
export function budgetOf(options: Allowed, spent: Spent = NOTHING_SPENT): Budget {
  const { maxQueries, maxTimeMs, maxPackets, payloadSize } = options;
  return {
    maxQueries,
    maxTimeMs,
    maxOctets: MOST_OCTETS,
    usualOctets: Math.min(payloadSize, MOST_USUAL_OCTETS),
    spent,
    ...(maxPackets === undefined ? {} : { maxPackets }),
  };
}

/**
 * Octets of large replies that a traversal may hear, beyond those that fit UDP: 13 servers with two addresses each may all
 * give 20 KiB. Every reply is kept until the end, and is read by each view and each check.
 */
const MOST_OCTETS = 512 * 1024;

/** So many octets of a reply never count as those of a large one, whatever is asked for. */
const MOST_USUAL_OCTETS = 4_096;

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

  /** An exchange has brought so many octets. */
  hear(octets: number): void {
    const { maxOctets: limit, usualOctets = 0 } = this.#budget;
    this.#octets += Math.max(0, octets - usualOctets);
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
