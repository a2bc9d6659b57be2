import { getOrMake } from '../../base/memo.ts';
import { workOf } from '../../base/work.ts';
import { toNumber } from '../fraction.ts';
import type { AddressOutcomes, Step, Walk } from '../step.ts';
import { type Latency, NO_TIME } from '../views/latency.ts';
import {
  exactly,
  least,
  mixture,
  most,
  shifted,
  sideBySide,
  type Times,
  weightedMean,
} from '../views/times.ts';
import type { ValidatedWalkStep, ValidatingFold } from './fold-step.ts';
import type { PathsLeaving, StepWait } from './paths-at-step.ts';
import { SearchTimes, type SearchTools } from './search-times.ts';

/**
 * Best, mean and worst time over all paths of a reading of the validating view, in milliseconds: svc-model(7), COLD
 * LATENCY. A step costs the longer of what its question and that for its zone's keys take, then what each further thing
 * takes that it has to learn, with all that is tried in vain. Void where that is more work than there may be.
 */
export class ValidatingLatencies {
  readonly #view: ValidatingFold;
  readonly #with: SearchTools;
  readonly #latencies = new Map<Step, Latency>();

  constructor(view: ValidatingFold, searching: SearchTools) {
    this.#view = view;
    this.#with = searching;
  }

  of(walk: Walk | undefined): Latency {
    return (walk?.kind === 'step' ? this.#latencies.get(walk.step) : undefined) ?? NO_TIME;
  }

  /** Folds a step that paths come to, after all that it leads to. */
  fold(step: ValidatedWalkStep): void {
    const legs = this.#view.legs(step);
    if (this.#with.work.spend(workOf('address', legs.length)) === 'exceeded') return;
    const waits = new Waits(step, this.#with);
    this.#latencies.set(step, together(legs.map((leg) => timesOf(leg, this.of(leg.walk), waits))));
  }
}

function together(parts: readonly Part[]): Latency {
  return {
    best: least(parts.map(({ best }) => best)),
    mean: parts.reduce((sum, { weight, mean }) => sum + weight * mean, 0),
    worst: most(parts.map(({ worst }) => worst)),
  };
}

interface Part extends Latency {
  readonly weight: number;
}

function timesOf({ weight, keys, lessons, reply }: PathsLeaving, onward: Latency, waits: Waits): Part {
  const first = sideBySide(waits.amongst(keys), waits.amongst([reply]));
  const all = [first, ...lessons.map((picks) => waits.amongst(picks))];
  const total = (of: (times: Times) => number) => all.reduce((sum, times) => sum + of(times), 0);
  return {
    weight: toNumber(weight),
    best: total(({ best }) => best) + onward.best,
    mean: total(weightedMean) + onward.mean,
    worst: total(({ worst }) => worst) + onward.worst,
  };
}

/** How long paths wait at one step. */
class Waits {
  readonly #step: Step;
  readonly #with: SearchTools;
  readonly #searches = new Map<AddressOutcomes<unknown>, SearchTimes>();
  readonly #amongst = new Map<readonly StepWait[], Times>();

  constructor(step: Step, searching: SearchTools) {
    this.#step = step;
    this.#with = searching;
  }

  /** Until they have one of these, by the chances that they take it; with all of the probability. */
  amongst(picks: readonly StepWait[]): Times {
    return getOrMake(this.#amongst, picks, () => {
      const weights = picks.map(({ weight }) => toNumber(weight));
      const sum = weights.reduce((all, one) => all + one, 0);
      if (sum === 0) return exactly(0, 1);
      return mixture(picks.map((picked, i) => shifted(this.#until(picked), 0, (weights[i] ?? 0) / sum)));
    });
  }

  #until(wait: StepWait): Times {
    const search = getOrMake(
      this.#searches,
      wait.heard,
      () => new SearchTimes(this.#step, wait.heard, this.#with),
    );
    return search.until(wait);
  }
}
