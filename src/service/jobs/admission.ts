import { onAbort } from '../../base/abort.ts';
import { getOrMake } from '../../base/memo.ts';
import { THIS_HOST } from '../client.ts';

/** Why one more job of the party is refused a slot and a place in the queue, if it is. */
export function refusal(rules: AdmissionRules, slots: Slots, party: string): FullQueue | undefined {
  if (!slots.mustWait(bidderOf(rules, party))) return undefined;
  if (slots.waiting >= rules.maxQueue) return 'queue-full';
  const isFull = party !== THIS_HOST && slots.waitingOf(party) >= rules.maxQueuePerClient;
  return isFull ? 'client-queue-full' : undefined;
}

/** A job's request for a slot. Exempt clients take turns like all others, but only the bounds of the whole service hold for them. */
export function bidderOf({ maxJobs, maxJobsPerClient }: AdmissionRules, party: string): Bidder {
  return { party, most: party === THIS_HOST ? maxJobs : maxJobsPerClient };
}

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

/** A request for a slot. */
export interface Bidder {
  /** The bidders of one party share its turns. */
  readonly party: string;
  /** Slots that the party may have at once. */
  readonly most: number;
}

interface Waiting {
  readonly most: number;
  readonly signal: AbortSignal;
  readonly go: () => void;
}

/**
 * A fixed number of places to work in. Parties that wait take turns, and within a party whoever came first
 * goes first: however many of one party wait, another's first waits for one of each at most.
 */
export class Slots {
  readonly #size: number;
  /** The waiting bidders by party. The next turn goes to the first party that may have one more slot. */
  readonly #lines = new Map<string, Set<Waiting>>();
  readonly #taken = new Map<string, number>();
  #inUse = 0;
  #waiting = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** How many are waiting. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many of one party are waiting. */
  waitingOf(party: string): number {
    return this.#lines.get(party)?.size ?? 0;
  }

  /**
   * How many go before the one of a party that waits with this signal, as long as nobody else comes and each party may
   * have as many slots as there are; undefined if it does not wait.
   */
  ahead(party: string, signal: AbortSignal): number | undefined {
    const place = [...(this.#lines.get(party) ?? [])].findIndex((one) => one.signal === signal);
    if (place < 0) return undefined;
    let ahead = place;
    let turns = place + 1;
    for (const [other, { size }] of this.#lines) {
      if (other === party) turns = place;
      else ahead += Math.min(size, turns);
    }
    return ahead;
  }

  /** Whether it would have to wait. */
  mustWait({ party, most }: Bidder): boolean {
    return this.#inUse >= this.#size || (this.#taken.get(party) ?? 0) >= most;
  }

  /** Waits for a slot: the function gives it back and is to be called once. Undefined if the signal is aborted first. */
  take(bidder: Bidder, signal: AbortSignal): Promise<(() => void) | undefined> {
    const { party, most } = bidder;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const go = () => {
        stay();
        resolve(this.#occupy(party));
      };
      const waiting = { most, go, signal };
      const stay = onAbort(signal, () => {
        this.#leave(party, waiting);
        resolve(undefined);
      });
      if (this.mustWait(bidder)) this.#join(party, waiting);
      else go();
    });
  }

  #join(party: string, waiting: Waiting): void {
    getOrMake(this.#lines, party, () => new Set<Waiting>()).add(waiting);
    this.#waiting += 1;
  }

  #leave(party: string, waiting: Waiting): void {
    const line = this.#lines.get(party);
    if (line?.delete(waiting) !== true) return;
    this.#waiting -= 1;
    if (line.size === 0) this.#lines.delete(party);
  }

  #occupy(party: string): () => void {
    this.#inUse += 1;
    this.#taken.set(party, (this.#taken.get(party) ?? 0) + 1);
    return () => {
      this.#inUse -= 1;
      const left = (this.#taken.get(party) ?? 1) - 1;
      if (left === 0) this.#taken.delete(party);
      else this.#taken.set(party, left);
      this.#serve();
    };
  }

  #serve(): void {
    for (const [party, line] of this.#lines) {
      const [first] = line;
      if (first === undefined || this.mustWait({ party, most: first.most })) continue;
      this.#leave(party, first);
      // Added again, it stands behind all the others.
      if (this.#lines.delete(party)) this.#lines.set(party, line);
      first.go();
      return;
    }
  }
}
