import { onAbort } from '../../base/abort.ts';
import { Counts } from '../../base/counts.ts';
import { type Bidder, TurnLine } from '../../base/turn-line.ts';
import { blocksOf } from '../client.ts';

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
export interface SlotBid {
  /** The bidders of one party share its turns. */
  readonly party: string;
  /** Slots that the party may have at once. */
  readonly most: number;
}

interface Waiting extends SlotBid, Bidder {
  readonly go: () => void;
}

/** A fixed number of places to work in. Parties that wait take turns (`TurnLine`). */
export class Slots {
  readonly #size: number;
  readonly #line = new TurnLine<Waiting>();
  readonly #taken = new Counts();
  #inUse = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** How many are waiting. */
  get waiting(): number {
    return this.#line.length;
  }

  /** Waits for a slot: the function gives it back and is to be called once. Undefined if the signal is aborted first. */
  take({ party, most }: SlotBid, signal: AbortSignal): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const go = () => {
        stay();
        resolve(this.#occupy(party));
      };
      const waiting = { party, most, blocks: blocksOf(party), go };
      const stay = onAbort(signal, () => {
        this.#line.leave(waiting);
        resolve(undefined);
      });
      if (this.#hasRoom(waiting)) {
        this.#line.pass();
        go();
      } else this.#line.join(waiting);
    });
  }

  #hasRoom({ party, most }: SlotBid): boolean {
    return this.#inUse < this.#size && this.#taken.of(party) < most;
  }

  #occupy(party: string): () => void {
    this.#inUse += 1;
    this.#taken.add(party);
    return () => {
      this.#inUse -= 1;
      this.#taken.remove(party);
      this.#line.next((waiting) => this.#hasRoom(waiting))?.go();
    };
  }
}
