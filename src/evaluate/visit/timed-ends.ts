/* Ends with the time that a resolver takes to come to them. */

import { getOrMake } from '../../base/memo.ts';
import type { Distribution } from '../distribution.ts';
import type { End } from '../end.ts';
import type { Moments } from './fold.ts';
import { inTurn, type Spent } from './waits.ts';

/** An end, and how long it takes a resolver to come to it from a step on. */
export interface TimedEnd {
  readonly end: End;
  readonly spent: Spent;
}

/** The timed ends of one fold: equal ones are the same object, so that folds add them up without looking into them. */
export class TimedEnds implements Moments<TimedEnd> {
  readonly kind = 'timed';
  readonly #known = new Map<End, Map<Spent, TimedEnd>>();
  readonly #later = new WeakMap<Distribution<TimedEnd>, Map<Spent, Distribution<TimedEnd>>>();

  readonly at = (end: End, spent: Spent): TimedEnd => {
    const ends = getOrMake(this.#known, end, () => new Map<Spent, TimedEnd>());
    return getOrMake(ends, spent, () => ({ end, spent }));
  };

  readonly later = (distribution: Distribution<TimedEnd>, spent: Spent): Distribution<TimedEnd> => {
    if (spent === 0) return distribution;
    const later = getOrMake(this.#later, distribution, () => new Map<Spent, Distribution<TimedEnd>>());
    return getOrMake(later, spent, () => {
      const portions = new Map<TimedEnd, bigint>();
      for (const [{ end, spent: before }, parts] of distribution.portions) {
        const timed = this.at(end, inTurn(before, spent));
        portions.set(timed, (portions.get(timed) ?? 0n) + parts);
      }
      return { whole: distribution.whole, portions };
    });
  };
}
