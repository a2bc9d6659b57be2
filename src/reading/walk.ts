import type { LeadsTo, StepRow } from '../document/steps.ts';
import { add, type Fraction, multiply, ONE, readFraction, sum, ZERO } from '../evaluate/fraction.ts';
import type { ResultIndex } from './result-index.ts';

/** A place where walks begin, and the share of walks that begin there. */
export interface Begin {
  readonly leadsTo: LeadsTo;
  readonly weight: () => Fraction;
}

/** The steps that walks pass. */
export interface Passed {
  /** In the result's order. */
  readonly steps: readonly StepRow[];
  /** The share of walks that pass one of them. Rings of lookups have very many, and most texts show none of these shares. */
  readonly share: (step: StepRow) => Fraction;
}

/** The steps of walks that begin as given. The lookups that a step needs are walks of their own. */
export function walked(begins: readonly Begin[], index: ResultIndex): Passed {
  let shares: ReadonlyMap<StepRow, Fraction> | undefined;
  return {
    steps: stepsPassed(begins, index),
    share: (step) => {
      shares ??= sharesPassing(begins, index);
      return shares.get(step) ?? ZERO;
    },
  };
}

function stepsPassed(begins: readonly Begin[], index: ResultIndex): readonly StepRow[] {
  const met = new Set<StepRow>();
  const arrive = (leadsTo: LeadsTo) => {
    const next = index.next(leadsTo);
    if (next.kind === 'step') met.add(next.step);
  };
  for (const { leadsTo } of begins) arrive(leadsTo);
  // A step follows all that lead to it, so it has been met when its turn comes.
  return index.steps.filter((step) => {
    const isPassed = met.has(step);
    if (isPassed)
      for (const { addresses } of step.nameservers) for (const row of addresses) arrive(row.leadsTo);
    return isPassed;
  });
}

function sharesPassing(begins: readonly Begin[], index: ResultIndex): ReadonlyMap<StepRow, Fraction> {
  const arriving = new Map<StepRow, Fraction>();
  const arrive = (leadsTo: LeadsTo, weight: Fraction) => {
    const next = index.next(leadsTo);
    if (next.kind === 'step') arriving.set(next.step, add(arriving.get(next.step) ?? ZERO, weight));
  };
  for (const { leadsTo, weight } of begins) arrive(leadsTo, weight());
  // All of a step has arrived when its turn comes.
  for (const step of index.steps) {
    const weight = arriving.get(step);
    if (weight === undefined) continue;
    for (const { addresses } of step.nameservers) {
      for (const row of addresses) arrive(row.leadsTo, multiply(weight, readFraction(row.fraction)));
    }
  }
  return arriving;
}

/** The steps that several groups of walks pass. */
export function passedByAll(groups: readonly Passed[]): Passed {
  const [only, ...others] = groups;
  if (only !== undefined && others.length === 0) return only;
  return {
    steps: [...new Set(groups.flatMap(({ steps }) => steps))],
    share: (step) => sum(groups.map(({ share }) => share(step))),
  };
}

/** Where the main walk begins. */
export function mainBegins({ begin }: ResultIndex): readonly Begin[] {
  return begin === undefined ? [] : [{ leadsTo: begin, weight: () => ONE }];
}

/** The steps of the main walk: those that look up the name asked for, its aliases followed. */
export function mainWalk(index: ResultIndex): Passed {
  return walked(mainBegins(index), index);
}
