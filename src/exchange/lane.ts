import type { QueryRank, Urgency } from '../exchanged.ts';
import { getOrMake } from '../get-or-make.ts';
import type { Allowance } from './allowance.ts';

/** One address: who waits for it, and what is on its way to it. */
export interface Lane {
  readonly address: string;
  readonly district: District;
  readonly allowance: Allowance;
  readonly waiting: WaitingLine<AbortSignal>;
  inFlight: number;
  /** Traversals whose share in flight has room, which this lane may use; if it does not, another may. */
  readonly takenUpFor: Set<AbortSignal>;
  /** Set while only the rate of this address keeps the first from going. */
  cancelTimer: (() => void) | undefined;
}

/** The addresses of one prefix. */
export interface District {
  readonly prefix: string;
  readonly allowance: Allowance;
  /** How many lanes it has. */
  lanes: number;
  /** Lanes that wait because of the rate of the prefix, in order of their turns. */
  readonly parked: Set<Lane>;
  /** Set while there are parked lanes and a time at which the first may go. */
  cancelTimer: (() => void) | undefined;
}

/** Lets one of those who wait go ahead. */
export type Go = () => void;

/** Those who wait on behalf of one, by rank and number of links, each in order of arrival. */
type Queue = Readonly<Record<QueryRank, Map<number, Set<Go>>>>;

/**
 * Those who wait for one thing, each on behalf of somebody, such as a job. These take turns, and for each
 * of them urgency counts, then order of arrival, so one with thousands delays the others by no more than
 * one at a time.
 */
export class WaitingLine<W> {
  readonly #queues = new Map<W, Queue>();

  get empty(): boolean {
    return this.#queues.size === 0;
  }

  join(whose: W, { rank = 'cold', links = 0 }: Urgency, go: Go): void {
    const queue = getOrMake(
      this.#queues,
      whose,
      (): Queue => ({
        cold: new Map(),
        dnssec: new Map(),
        check: new Map(),
      }),
    );
    getOrMake(queue[rank], links, () => new Set<Go>()).add(go);
  }

  leave(whose: W, go: Go): void {
    const queue = this.#queues.get(whose);
    if (queue === undefined) return;
    for (const rank of RANKS) for (const links of queue[rank].keys()) take(queue[rank], links, go);
    if (isEmpty(queue)) this.#queues.delete(whose);
  }

  /** Removes and returns the next of those who may go; undefined if none of them waits. */
  next(may: (whose: W) => boolean): Go | undefined {
    for (const [whose, queue] of this.#queues) {
      if (!may(whose)) continue;
      const go = takeFirst(queue);
      // A map keeps insertion order: whoever has more goes to the end.
      this.#queues.delete(whose);
      if (!isEmpty(queue)) this.#queues.set(whose, queue);
      return go;
    }
    return undefined;
  }
}

/** In the order in which they go. */
const RANKS: readonly QueryRank[] = ['cold', 'dnssec', 'check'];

function takeFirst(queue: Queue): Go | undefined {
  const rank = RANKS.find((one) => queue[one].size > 0);
  if (rank === undefined) return undefined;
  const links = Math.max(...queue[rank].keys());
  const [go] = queue[rank].get(links) ?? [];
  if (go !== undefined) take(queue[rank], links, go);
  return go;
}

function take(waiting: Map<number, Set<Go>>, links: number, go: Go): void {
  const those = waiting.get(links);
  those?.delete(go);
  if (those?.size === 0) waiting.delete(links);
}

function isEmpty(queue: Queue): boolean {
  return RANKS.every((rank) => queue[rank].size === 0);
}
