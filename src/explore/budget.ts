import type { TraversalOptions } from '../options.ts';
import type { QueryLimit } from './recording.ts';

/** What bounds one exploration. */
export interface Budget {
  /** Distinct questions asked. */
  readonly maxQueries: number;
  /** Milliseconds. */
  readonly maxTimeMs: number;
  /** Packets sent, and connections opened; absent: any number. */
  readonly maxPackets?: number;
  /** Octets of DNS messages received; absent: any number. */
  readonly maxOctets?: number;
}

/** The budget that options allow. */
export function budgetOf(options: TraversalOptions): Budget {
  const { maxQueries, maxTimeMs, maxPackets, payloadSize } = options;
  const maxOctets = Math.max(USUALLY_HEARD, maxQueries * payloadSize);
  return { maxQueries, maxTimeMs, maxOctets, ...(maxPackets === undefined ? {} : { maxPackets }) };
}

/**
 * Octets that a traversal may always hear: two and a half times what 5,000 replies over UDP can hold.
 * Every reply is kept until the end, and over TCP one can be fifty times the usual size.
 */
const USUALLY_HEARD = 16 * 1024 * 1024;

/** Counts what an exploration sends and hears. */
export class Spending {
  readonly #budget: Budget;
  readonly #usedUp: (why: QueryLimit) => void;
  #packets = 0;
  #octets = 0;

  /** `usedUp` is called for each that goes beyond the budget. */
  constructor(budget: Budget, usedUp: (why: QueryLimit) => void) {
    this.#budget = budget;
    this.#usedUp = usedUp;
  }

  /** A packet is about to leave. */
  send(): void {
    const { maxPackets: limit } = this.#budget;
    this.#packets += 1;
    if (limit !== undefined && this.#packets > limit)
      this.#usedUp({ kind: 'query-limit', limit, unit: 'packets' });
  }

  /** So many octets have come in. */
  hear(octets: number): void {
    const { maxOctets: limit } = this.#budget;
    this.#octets += octets;
    if (limit !== undefined && this.#octets > limit)
      this.#usedUp({ kind: 'query-limit', limit, unit: 'octets' });
  }
}
