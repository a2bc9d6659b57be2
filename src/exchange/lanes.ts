/* Waiting queries by the place that they go to: one lane an address, and shares among those who wait. */

import type { Clock } from '../base/clock.ts';
import { getOrMake } from '../base/memo.ts';
import { destinationOf } from '../dns/special-purpose.ts';
import { type Allowance, type Allowances, FORGOTTEN_AFTER_MS, ratedPrefix } from './allowance.ts';
import type { Urgency } from './query.ts';
import { UrgencyQueue } from './urgency.ts';

/** Is told when more may go to a place, earlier than its allowance has said. */
interface Woken {
  readonly lane: (lane: Lane) => void;
  readonly prefix: (prefix: PrefixLanes) => void;
}

/** The lanes of all addresses that queries wait for, or that packets were sent to a moment ago. */
export class AddressLanes {
  readonly #allowances: Allowances;
  readonly #clock: Clock;
  readonly #woken: Woken;
  readonly #lanes = new Map<string, Lane>();
  readonly #prefixes = new Map<string, PrefixLanes>();
  /** Idle lanes and since when, longest first. */
  readonly #idle = new Map<Lane, number>();

  constructor(allowances: Allowances, clock: Clock, woken: Woken) {
    this.#allowances = allowances;
    this.#clock = clock;
    this.#woken = woken;
  }

  /** The lane of an address, which is no longer idle. The address of a translator has the lane of the address behind it. */
  at(translated: string): Lane {
    this.#forget();
    const address = destinationOf(translated);
    const known = this.#lanes.get(address);
    if (known !== undefined) {
      this.#idle.delete(known);
      return known;
    }
    const prefix = this.#prefixOf(address);
    prefix.lanes += 1;
    const allowance = this.#allowances.forAddress(address, () => this.#woken.lane(lane));
    const state = { inFlight: 0, takenUpFor: new Set<AbortSignal>(), cancelTimer: undefined };
    const lane: Lane = { address, prefix, allowance, waiting: new FairQueue(), ...state };
    this.#lanes.set(address, lane);
    return lane;
  }

  /** Notes that no query waits in the lane or is on its way: it is idle, and forgotten after a while. */
  rest(lane: Lane): void {
    this.#idle.set(lane, this.#clock.now());
  }

  #prefixOf(address: string): PrefixLanes {
    const cidr = ratedPrefix(address);
    return getOrMake(this.#prefixes, cidr, () => {
      const allowance = this.#allowances.forPrefix(cidr, () => this.#woken.prefix(prefix));
      const prefix: PrefixLanes = { cidr, allowance, lanes: 0, parked: new Set(), cancelTimer: undefined };
      return prefix;
    });
  }

  #forget(): void {
    const now = this.#clock.now();
    for (const [lane, since] of this.#idle) {
      if (now - since < FORGOTTEN_AFTER_MS) return;
      const { address, prefix } = lane;
      this.#idle.delete(lane);
      this.#lanes.delete(address);
      prefix.lanes -= 1;
      if (prefix.lanes === 0) this.#prefixes.delete(prefix.cidr);
    }
  }
}

/** One address: the queries that wait for it, and those on their way to it. */
export interface Lane {
  readonly address: string;
  readonly prefix: PrefixLanes;
  readonly allowance: Allowance;
  readonly waiting: FairQueue;
  inFlight: number;
  /** Traversals whose share in flight has room, which this lane may use; if it does not, another may. */
  readonly takenUpFor: Set<AbortSignal>;
  /** Set while only the rate of this address keeps the first from going. */
  cancelTimer: (() => void) | undefined;
}

/** The lanes of the addresses of one prefix. */
interface PrefixLanes {
  readonly cidr: string;
  readonly allowance: Allowance;
  /** How many lanes it has. */
  lanes: number;
  /** Lanes that wait because of the rate of the prefix, in order of their turns. */
  readonly parked: Set<Lane>;
  /** Set while there are parked lanes and a time at which the first may go. */
  cancelTimer: (() => void) | undefined;
}

/** Lets one query go ahead. */
export type Go = () => void;

/**
 * The queries that wait for one address, by traversal (known by its signal). Traversals take turns, each with its most
 * urgent query, so a traversal with thousands of queries delays the others by no more than one at a time.
 */
class FairQueue {
  readonly #queues = new Map<AbortSignal, UrgencyQueue<Go>>();

  get empty(): boolean {
    return this.#queues.size === 0;
  }

  join(signal: AbortSignal, urgency: Urgency, go: Go): void {
    getOrMake(this.#queues, signal, () => new UrgencyQueue<Go>()).join(go, urgency);
  }

  /** Changes the urgency of a query that waits. Whose turn it is does not change by that. */
  move(signal: AbortSignal, urgency: Urgency, go: Go): void {
    this.#queues.get(signal)?.move(go, urgency);
  }

  leave(signal: AbortSignal, go: Go): void {
    const queue = this.#queues.get(signal);
    queue?.leave(go);
    if (queue?.empty) this.#queues.delete(signal);
  }

  /** Removes and returns the next query of the traversals that may send; undefined if none of these waits. */
  next(may: (signal: AbortSignal) => boolean): Go | undefined {
    for (const [signal, queue] of this.#queues) {
      if (!may(signal)) continue;
      const go = queue.next();
      // A map keeps insertion order: a traversal that has more queries goes to the end.
      this.#queues.delete(signal);
      if (!queue.empty) this.#queues.set(signal, queue);
      return go;
    }
    return undefined;
  }
}

/** What each traversal has in flight, and the lanes in which it waits only because that is its whole share. */
export class Shares {
  readonly #most: number;
  readonly #inFlight = new Map<AbortSignal, number>();
  readonly #heldUp = new Map<AbortSignal, Set<Lane>>();
  /** Traversals that get no turns for now. */
  readonly #held = new WeakSet<AbortSignal>();

  /** `most`: how many turns one traversal, known by its signal, may hold. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the traversal may have one more turn, where so many are free: it never has more of them than there are free. */
  hasRoom(signal: AbortSignal, free: number): boolean {
    return !this.#held.has(signal) && (this.#inFlight.get(signal) ?? 0) < Math.min(this.#most, free);
  }

  hold(signal: AbortSignal): void {
    this.#held.add(signal);
  }

  release(signal: AbortSignal): void {
    this.#held.delete(signal);
  }

  /** The traversals that wait because of their shares. */
  get heldUp(): readonly AbortSignal[] {
    return [...this.#heldUp.keys()];
  }

  take(signal: AbortSignal): void {
    this.#inFlight.set(signal, (this.#inFlight.get(signal) ?? 0) + 1);
  }

  give(signal: AbortSignal): void {
    const left = (this.#inFlight.get(signal) ?? 0) - 1;
    if (left > 0) this.#inFlight.set(signal, left);
    else this.#inFlight.delete(signal);
  }

  /** The traversal waits in this lane until its share has room. */
  holdUp(signal: AbortSignal, lane: Lane): void {
    getOrMake(this.#heldUp, signal, () => new Set<Lane>()).add(lane);
  }

  /** The lane in which the traversal has been held up longest: it no longer waits there. */
  takeUp(signal: AbortSignal): Lane | undefined {
    const heldUp = this.#heldUp.get(signal);
    const [lane] = heldUp ?? [];
    if (lane === undefined) return undefined;
    heldUp?.delete(lane);
    if (heldUp?.size === 0) this.#heldUp.delete(signal);
    return lane;
  }

  /** The traversal waits in no lane any more. */
  forget(signal: AbortSignal): void {
    this.#heldUp.delete(signal);
  }
}
