import { type LiveUrgency, RANKS, type Rising, type Urgency } from './exchanged.ts';

/** The urgency of a query that somebody more pressed may come to want, too, while it waits. */
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

  /** Somebody wants the query this urgently: it never becomes less urgent by that. */
  raise(to: Urgency): void {
    const wanted = known(to);
    if (!isMoreUrgent(wanted, this.#now)) return;
    this.#now = wanted;
    for (const listener of this.#listeners) listener();
  }
}

/** How urgent a query is by now. */
export function urgencyNow(urgency: LiveUrgency): Required<Urgency> {
  return urgency.rising?.now ?? known(urgency);
}

function known({ rank = 'cold', links = 0 }: Urgency): Required<Urgency> {
  return { rank, links };
}

function isMoreUrgent(one: Required<Urgency>, other: Required<Urgency>): boolean {
  if (one.rank === other.rank) return one.links > other.links;
  return RANKS.indexOf(one.rank) < RANKS.indexOf(other.rank);
}
