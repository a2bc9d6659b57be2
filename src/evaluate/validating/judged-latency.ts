import { ADDRESSES_PER_STEP, type Work } from '../../explore/work.ts';
import { type Pausable, Pauses } from '../../pausable.ts';
import { inLookups } from '../bottom-up.ts';
import { toNumber } from '../fraction.ts';
import { Latencies, type Latency, NO_TIME } from '../latency.ts';
import type { Step, Walk } from '../step.ts';
import { exactly, least, mixture, most, shifted, sideBySide, type Times, weightedMean } from '../times.ts';
import type { JudgedView, StepJudged } from './judged-folds.ts';
import type { Leg, Timed } from './leg.ts';

/** What the latency of a reading is computed of. */
interface JudgedSteps {
  readonly start: Walk;
  /** All of the unfolding, each after all that it leads to. */
  readonly steps: readonly Step[];
  /** Those that paths of the reading come to, in the same order. */
  readonly judged: readonly StepJudged[];
  readonly view: JudgedView;
}

/**
 * Best, mean and worst time over all paths of a reading of the validating view, in milliseconds: svc-model(7), COLD
 * LATENCY. A step costs the longer of its question's exchange and that of its zone's keys, then those of whatever else
 * it has to learn; who asks every server in vain waits for the slowest. Void where that is more than `work` has left.
 */
export function* judgedLatency({ start, steps, judged, view }: JudgedSteps, work: Work): Pausable<Latency> {
  const lookups = new Latencies(work);
  for (const step of inLookups(steps)) yield* lookups.foldTiming(step);
  if (work.exceeded) return NO_TIME;
  const pauses = new Pauses();
  const known = new Map<Step, Latency>();
  const of = (walk: Walk | undefined) =>
    (walk?.kind === 'step' ? known.get(walk.step) : undefined) ?? NO_TIME;
  for (const step of judged) {
    const legs = view.legs(step);
    if (work.spend(legs.length / ADDRESSES_PER_STEP) === 'exceeded') return NO_TIME;
    if (pauses.due(1 + legs.length / ADDRESSES_PER_STEP)) yield;
    known.set(step, together(legs.map((leg) => timesOf(leg, of(leg.walk), new Waits(step, lookups)))));
  }
  return of(start);
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

function timesOf({ weight, keys, lessons, reply }: Leg, onward: Latency, waits: Waits): Part {
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
  amongst(picks: readonly Timed[]): Times {
    const weights = picks.map(({ weight }) => toNumber(weight));
    const sum = weights.reduce((all, one) => all + one, 0);
    if (sum === 0) return exactly(0, 1);
    return mixture(picks.map((picked, i) => this.#until(picked, (weights[i] ?? 0) / sum)));
  }

  /** Its lookup's time is that of paths that came to the same addresses. */
  #until({ server, set, elapsedMs }: Timed, mass: number): Times {
    if (server?.kind !== 'lookup' || set === undefined) return exactly(elapsedMs, mass);
    const lookup = this.#lookups.reaching(this.#step, server).get(set.join(' '));
    return lookup === undefined ? exactly(elapsedMs, mass) : shifted(lookup, elapsedMs, mass / lookup.mass);
  }
}
