import { type QueryRank, RANKS, type Urgency } from './exchanged.ts';
import { getOrMake } from './get-or-make.ts';
import { pressureOf } from './rising-urgency.ts';

/** Those who wait for their turn: by urgency, then in the order in which they came. */
export class UrgencyLine<T> {
  /** By rank and pressure. */
  readonly #waiting: Readonly<Record<QueryRank, Map<number, Set<T>>>> = {
    cold: new Map(),
    dnssec: new Map(),
    check: new Map(),
  };

  get empty(): boolean {
    return RANKS.every((rank) => this.#waiting[rank].size === 0);
  }

  join(one: T, urgency: Urgency): void {
    const { rank = 'cold' } = urgency;
    getOrMake(this.#waiting[rank], pressureOf(urgency), () => new Set<T>()).add(one);
  }

  leave(one: T): void {
    for (const rank of RANKS)
      for (const pressure of this.#waiting[rank].keys()) this.#take(rank, pressure, one);
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
    const greatest = Math.max(...this.#waiting[rank].keys());
    const [first] = this.#waiting[rank].get(greatest) ?? [];
    if (first !== undefined) this.#take(rank, greatest, first);
    return first;
  }

  #has(one: T): boolean {
    return RANKS.some((rank) => [...this.#waiting[rank].values()].some((those) => those.has(one)));
  }

  #take(rank: QueryRank, pressure: number, one: T): void {
    const those = this.#waiting[rank].get(pressure);
    those?.delete(one);
    if (those?.size === 0) this.#waiting[rank].delete(pressure);
  }
}
