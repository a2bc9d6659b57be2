import { type QueryRank, RANKS, type Urgency } from './exchanged.ts';
import { getOrMake } from './get-or-make.ts';

/** Those who wait for their turn: by urgency, then in the order in which they came. */
export class UrgencyLine<T> {
  /** By rank and number of links. */
  readonly #waiting: Readonly<Record<QueryRank, Map<number, Set<T>>>> = {
    cold: new Map(),
    dnssec: new Map(),
    check: new Map(),
  };

  get empty(): boolean {
    return RANKS.every((rank) => this.#waiting[rank].size === 0);
  }

  join(one: T, { rank = 'cold', links = 0 }: Urgency): void {
    getOrMake(this.#waiting[rank], links, () => new Set<T>()).add(one);
  }

  leave(one: T): void {
    for (const rank of RANKS) for (const links of this.#waiting[rank].keys()) this.#take(rank, links, one);
  }

  /** Gives somebody another urgency, if they wait. */
  move(one: T, urgency: Urgency): void {
    if (this.#has(one)) {
      this.leave(one);
      this.join(one, urgency);
    }
  }

  /** Removes and returns the next; undefined if nobody waits. */
  next(): T | undefined {
    const rank = RANKS.find((rank) => this.#waiting[rank].size > 0);
    if (rank === undefined) return undefined;
    const links = Math.max(...this.#waiting[rank].keys());
    const [first] = this.#waiting[rank].get(links) ?? [];
    if (first !== undefined) this.#take(rank, links, first);
    return first;
  }

  #has(one: T): boolean {
    return RANKS.some((rank) => [...this.#waiting[rank].values()].some((those) => those.has(one)));
  }

  #take(rank: QueryRank, links: number, one: T): void {
    const those = this.#waiting[rank].get(links);
    those?.delete(one);
    if (those?.size === 0) this.#waiting[rank].delete(links);
  }
}
