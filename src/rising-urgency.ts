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

/** Places beyond are one: a line has to look through all that are told apart. */
const LAST_PLACE = 15;

/** How urgent a query is among those of its rank: the greater, the sooner it goes. */
export function pressureOf({ links = 0, place = 0 }: Urgency): number {
  return links + 1 / (1 + Math.min(place, LAST_PLACE));
}

function known({ rank = 'cold', links = 0, place = 0 }: Urgency): Required<Urgency> {
  return { rank, links, place };
}

function isMoreUrgent(one: Required<Urgency>, other: Required<Urgency>): boolean {
  if (one.rank === other.rank) return pressureOf(one) > pressureOf(other);
  return RANKS.indexOf(one.rank) < RANKS.indexOf(other.rank);
}
