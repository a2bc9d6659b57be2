import { type Bidder, Slots } from '../slots.ts';
import { THIS_HOST } from './party.ts';

/** How many jobs may run and wait. */
export interface AdmissionRules {
  readonly maxJobs: number;
  /** Of one client, unless it is exempt. */
  readonly maxJobsPerClient: number;
  readonly maxQueue: number;
  /** Of one client, unless it is exempt. */
  readonly maxQueuePerClient: number;
}

/** Why there is no room for a job. */
export type FullQueue = 'queue-full' | 'client-queue-full';

/**
 * Which jobs run, which wait, and which are not accepted. Exempt clients take turns like all others, but
 * only the bounds of the whole service hold for them.
 */
export class Admission {
  readonly #rules: AdmissionRules;
  readonly #slots: Slots;

  constructor(rules: AdmissionRules) {
    this.#rules = rules;
    this.#slots = new Slots(rules.maxJobs);
  }

  /** How many wait. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  /** Why one more job of the party has to be refused, if it has. */
  refusal(party: string): FullQueue | undefined {
    const { maxQueue, maxQueuePerClient } = this.#rules;
    if (!this.#slots.mustWait(this.#bidder(party))) return undefined;
    if (this.#slots.waiting >= maxQueue) return 'queue-full';
    const isFull = party !== THIS_HOST && this.#slots.waitingOf(party) >= maxQueuePerClient;
    return isFull ? 'client-queue-full' : undefined;
  }

  /** Waits for the party's turn: see `Slots.take`. */
  take(party: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    return this.#slots.take(this.#bidder(party), signal);
  }

  /** How many start before the waiting job with this signal: see `Slots.ahead`. */
  ahead(party: string, signal: AbortSignal): number | undefined {
    return this.#slots.ahead(party, signal);
  }

  #bidder(party: string): Bidder {
    const { maxJobs, maxJobsPerClient } = this.#rules;
    return { party, most: party === THIS_HOST ? maxJobs : maxJobsPerClient };
  }
}
