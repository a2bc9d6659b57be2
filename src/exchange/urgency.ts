/* Orders waiting queries by urgency, which may rise while they wait. */

import { type LiveUrgency, RANKS, type Rising, type Urgency } from './query.ts';

/** The urgency of a query that a more urgent walk may come to want, too, while the query waits. */
export class RisingUrgency implements Rising {
  #now: Required<Urgency>;
  readonly #listeners: (() => void)[] = [];

  constructor(first: Urgency) {
    this.#now = known(first);
  }

  get now(): Required<Urgency> {
    return this.#now;
  }

  onRise(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Raises the urgency to this one; a lesser one changes nothing. */
  raise(to: Urgency): void {
    const wanted = known(to);
    if (compare(wanted, this.#now) >= 0) return;
    this.#now = wanted;
    for (const listener of this.#listeners) listener();
  }
}

/** How urgent a query is by now. */
export function urgencyNow(urgency: LiveUrgency): Required<Urgency> {
  return urgency.rising?.now ?? known(urgency);
}

function known({ rank = 'cold', links = 0, place = 0 }: Urgency): Required<Urgency> {
  return { rank, links, place };
}

/** Places from here on count as the same: the later ones of thousands of servers go in the order in which they came. */
const LAST_PLACE = 15;

/** Below 0 if the first is the more urgent: by rank, then the longest chain, then the first of a zone's servers. */
function compare(one: Required<Urgency>, other: Required<Urgency>): number {
  return (
    RANKS.indexOf(one.rank) - RANKS.indexOf(other.rank) ||
    other.links - one.links ||
    Math.min(one.place, LAST_PLACE) - Math.min(other.place, LAST_PLACE)
  );
}

/** A queue in which the most urgent go first, and equally urgent ones in the order in which they joined. */
export class UrgencyQueue<T> {
  /** In order; the last is the next to go, because taking an array's last element moves no other. */
  readonly #order: Waiting<T>[] = [];
  /** Where an item waits. Places in the order that it has left stay there until their turn: thousands may leave at once. */
  readonly #waiting = new Map<T, Waiting<T>>();

  get empty(): boolean {
    return this.#waiting.size === 0;
  }

  join(item: T, urgency: Urgency): void {
    const waiting = { item, urgency: known(urgency) };
    this.#order.splice(this.#placeOf(waiting.urgency), 0, waiting);
    this.#waiting.set(item, waiting);
  }

  /** Removes an item; false if it does not wait. */
  leave(item: T): boolean {
    const waited = this.#waiting.delete(item);
    if (this.empty) this.#order.length = 0;
    return waited;
  }

  /** Changes the urgency of an item, if it waits. */
  move(item: T, urgency: Urgency): void {
    if (this.leave(item)) this.join(item, urgency);
  }

  /** Removes and returns the next; undefined if none waits. */
  next(): T | undefined {
    for (let last = this.#order.pop(); last !== undefined; last = this.#order.pop()) {
      if (this.#waiting.get(last.item) !== last) continue;
      this.#waiting.delete(last.item);
      return last.item;
    }
    return undefined;
  }

  /** Where those begin that go before a newcomer: a binary search, because thousands may wait. */
  #placeOf(joining: Required<Urgency>): number {
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const waiting = this.#order[middle];
      if (waiting === undefined || compare(waiting.urgency, joining) <= 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** A place in the order. */
interface Waiting<T> {
  readonly item: T;
  readonly urgency: Required<Urgency>;
}

/** How many items go in one turn of the event loop. */
const AT_ONCE = 2;

/**
 * Releases a few items in each turn of the event loop, the most urgent first. One reply can lead to hundreds of queries:
 * if all of these went at once, replies that come meanwhile would wait, and with them the longest chain of queries.
 */
export class EventLoopThrottle<T> {
  readonly #release: (item: T) => void;
  readonly #stop: AbortSignal;
  readonly #waiting = new UrgencyQueue<T>();
  #releasedNow = 0;

  /** Once `stop` is aborted all items go at once. */
  constructor(release: (item: T) => void, stop: AbortSignal) {
    this.#release = release;
    this.#stop = stop;
  }

  add(item: T, urgency: LiveUrgency): void {
    this.#waiting.join(item, urgencyNow(urgency));
    urgency.rising?.onRise(() => this.#waiting.move(item, urgencyNow(urgency)));
    if (this.#releasedNow === 0) setImmediate(() => this.#nextTurn());
    this.#releaseSome();
  }

  #nextTurn(): void {
    this.#releasedNow = 0;
    this.#releaseSome();
    if (this.#releasedNow > 0) setImmediate(() => this.#nextTurn());
  }

  #releaseSome(): void {
    while (this.#releasedNow < AT_ONCE || this.#stop.aborted) {
      const first = this.#waiting.next();
      if (first === undefined) return;
      this.#releasedNow += 1;
      this.#release(first);
    }
  }
}
