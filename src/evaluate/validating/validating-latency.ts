import { type Work, workOf } from '../../base/work.ts';
import { toNumber } from '../fraction.ts';
import type { Step, Walk } from '../step.ts';
import { type Latencies, type Latency, NO_TIME } from '../views/latency.ts';
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

/**
 * Best, mean and worst time over all paths of a reading of the validating view, in milliseconds: svc-model(7), COLD
 * LATENCY. A step costs the longer of its question's exchange and that of its zone's keys, then those of whatever else
 * it has to learn; who asks every server in vain waits for the slowest. Void where that is more work than there may be.
 */
export class ValidatingLatencies {
  readonly #view: ValidatingFold;
  readonly #lookups: Latencies;
  readonly #work: Work;
  readonly #latencies = new Map<Step, Latency>();

  /** `lookups`: how long those of the steps take. */
  constructor(view: ValidatingFold, lookups: Latencies, work: Work) {
    this.#view = view;
    this.#lookups = lookups;
    this.#work = work;
  }

  of(walk: Walk | undefined): Latency {
    return (walk?.kind === 'step' ? this.#latencies.get(walk.step) : undefined) ?? NO_TIME;
  }

  /** Folds a step that paths come to, after all that it leads to. */
  fold(step: ValidatedWalkStep): void {
    const legs = this.#view.legs(step);
    if (this.#work.spend(workOf('address', legs.length)) === 'exceeded') return;
    const waits = new Waits(step, this.#lookups);
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
  readonly #lookups: Latencies;

  constructor(step: Step, lookups: Latencies) {
    this.#step = step;
    this.#lookups = lookups;
  }

  /** Until they have one of these, by the chances that they take it; with all of the probability. */
  amongst(picks: readonly StepWait[]): Times {
    const weights = picks.map(({ weight }) => toNumber(weight));
    const sum = weights.reduce((all, one) => all + one, 0);
    if (sum === 0) return exactly(0, 1);
    return mixture(picks.map((picked, i) => this.#until(picked, (weights[i] ?? 0) / sum)));
  }

  /** Its lookup's time is that of paths that came to the same addresses. */
  #until({ server, set, elapsedMs }: StepWait, mass: number): Times {
    if (server?.kind !== 'lookup' || set === undefined) return exactly(elapsedMs, mass);
    const lookup = this.#lookups.reaching(this.#step, server).get(set.join(' '));
    return lookup === undefined ? exactly(elapsedMs, mass) : shifted(lookup, elapsedMs, mass / lookup.mass);
  }
}
