/*
 * The one evaluator: what becomes of a resolver that walks from zone to zone. It folds the arrivals at zones from the last
 * ones up; how a resolver leaves each zone is the visit's matter, which its behaviour decides. Behaviours without memory
 * have a closed form (memoryless.ts), all others are a state machine (visit.ts).
 */

import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import { Collector, certainly, type Distribution, workOfFold } from '../distribution.ts';
import type { End } from '../end.ts';
import { digitsOf, type Fraction, sum } from '../fraction.ts';
import type { Walk } from '../step.ts';
import type { Arrival } from './arrivals.ts';
import type { Departure } from './departures.ts';
import type { Spent } from './waits.ts';

/** Where resolvers end that arrive at zones. Once folding took more work than there may be, every distribution is void. */
export class Fold<E> {
  readonly #moments: Moments<E>;
  readonly #visit: (arrival: Arrival) => readonly Departure[];
  readonly #work: Work;
  readonly #folds = new Map<
    Arrival,
    { readonly distribution: Distribution<E>; readonly onward: Iterable<Arrival> }
  >();

  constructor(moments: Moments<E>, visit: (arrival: Arrival) => readonly Departure[], work: Work) {
    this.#moments = moments;
    this.#visit = visit;
    this.#work = work;
  }

  /** Where resolvers end that arrive there; undefined: that was not folded. */
  at(arrival: Arrival): Distribution<E> {
    return this.#fold(arrival).distribution;
  }

  /** The arrivals that some resolver comes to next. */
  onward(arrival: Arrival): Iterable<Arrival> {
    return this.#fold(arrival).onward;
  }

  #fold(arrival: Arrival) {
    const fold = this.#folds.get(arrival);
    if (fold === undefined) throw new Error('an arrival was not folded before those that lead to it');
    return fold;
  }

  /** Folds an arrival, after all that it leads to. */
  fold(arrival: Arrival): void {
    if (this.#work.exceeded) return;
    const departures = this.#visit(arrival);
    if (this.#work.exceeded) return;
    const collector = new Collector<E>();
    const onward = new Map<Arrival, Map<Spent, Fraction[]>>();
    for (const { to, spent, weight } of departures) {
      if (to.kind === 'end') collector.add(this.#moments.at(to.end, spent), weight);
      else
        getOrMake(
          getOrMake(onward, to.arrival, () => new Map<Spent, Fraction[]>()),
          spent,
          (): Fraction[] => [],
        ).push(weight);
    }
    for (const [next, moments] of onward) {
      const reached = this.at(next);
      // Each moment of the departure makes each end a later one.
      const points = this.#moments.kind === 'timeless' ? 0 : moments.size * reached.portions.size;
      if (this.#work.spend(workOf('momentDigit', points * digitsOf(reached.whole))) === 'exceeded') return;
      for (const [spent, weights] of moments)
        collector.addAll(this.#moments.later(reached, spent), sum(weights));
    }
    const { distribution } = collector;
    this.#folds.set(arrival, { distribution, onward: onward.keys() });
    this.#work.spend(workOfFold({ distribution, ends: collector.count, picks: arrival.step.servers.length }));
  }

  /** Where a walk ends; `arrival`: its first one, if it has any. */
  from(walk: Walk, arrival: Arrival | undefined): Distribution<E> {
    if (walk.kind === 'cut') return certainly(this.#moments.at(walk.end, 0));
    if (arrival === undefined) throw new Error('a walk arrives somewhere');
    return this.at(arrival);
  }
}

/** How ends are told apart by when they are come to. */
export interface Moments<E> {
  readonly kind: 'timed' | 'timeless';
  readonly at: (end: End, spent: Spent) => E;
  /** The distribution as it is after so much time. */
  readonly later: (distribution: Distribution<E>, spent: Spent) => Distribution<E>;
}

/** For those who do not ask when. */
export const TIMELESS: Moments<End> = {
  kind: 'timeless',
  at: (end) => end,
  later: (distribution) => distribution,
};
