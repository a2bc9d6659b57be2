import type { LeadsTo, StepRow } from '../document/steps.ts';
import { add, type Fraction, multiply, ONE, readFraction, ZERO } from '../evaluate/fraction.ts';
import type { ResultIndex } from './result-index.ts';

/** A place where walks begin, and the share of walks that begin there. */
export interface Begin {
  readonly leadsTo: LeadsTo;
  readonly weight: Fraction;
}

/** The steps that walks pass, in the result's order, each with the share of walks that pass it. */
export type Passed = ReadonlyMap<StepRow, Fraction>;

/** The steps of walks that begin as given. The lookups that a step needs are walks of their own. */
export function walked(begins: readonly Begin[], index: ResultIndex): Passed {
  const arriving = new Map<StepRow, Fraction>();
  const arrive = (leadsTo: LeadsTo, weight: Fraction) => {
    const next = index.next(leadsTo);
    if (next.kind === 'step') arriving.set(next.step, add(arriving.get(next.step) ?? ZERO, weight));
  };
  for (const { leadsTo, weight } of begins) arrive(leadsTo, weight);
  const passed = new Map<StepRow, Fraction>();
  // A step follows all that lead to it, so all of it has arrived when its turn comes.
  for (const step of index.steps) {
    const weight = arriving.get(step);
    if (weight === undefined) continue;
    passed.set(step, weight);
    for (const { addresses } of step.nameservers) {
      for (const row of addresses) arrive(row.leadsTo, multiply(weight, readFraction(row.fraction)));
    }
  }
  return passed;
}

/** The steps that several groups of walks pass, and the share that passes each. */
export function passedByAll(groups: readonly Passed[]): Passed {
  const [only, ...others] = groups;
  if (only !== undefined && others.length === 0) return only;
  const passed = new Map<StepRow, Fraction>();
  for (const [step, share] of groups.flatMap((group) => [...group])) {
    passed.set(step, add(passed.get(step) ?? ZERO, share));
  }
  return passed;
}

/** Where the main walk begins. */
export function mainBegins({ begin }: ResultIndex): readonly Begin[] {
  return begin === undefined ? [] : [{ leadsTo: begin, weight: ONE }];
}

/** The steps of the main walk: those that look up the name asked for, its aliases followed. */
export function mainWalk(index: ResultIndex): Passed {
  return walked(mainBegins(index), index);
}
