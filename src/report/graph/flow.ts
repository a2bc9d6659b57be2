import type { LeadsTo, StepRow } from '../../document/steps.ts';
import { add, type Fraction, lowestTerms, multiply, readFraction, ZERO } from '../../evaluate/fraction.ts';
import type { Graph } from '../../reading/result-index.ts';

/** Where walks begin, and how many of them do. */
export interface Begin {
  readonly leadsTo: LeadsTo;
  readonly weight: Fraction;
}

/** The steps that walks pass, in the graph's order, and how much of them passes. */
export function flow(begins: readonly Begin[], { steps }: Graph): ReadonlyMap<StepRow, Fraction> {
  const arriving = new Map<string, Fraction>();
  const arrive = (leadsTo: LeadsTo, weight: Fraction) => {
    if ('step' in leadsTo) arriving.set(leadsTo.step, add(arriving.get(leadsTo.step) ?? ZERO, weight));
  };
  for (const { leadsTo, weight } of begins) arrive(leadsTo, weight);
  const passing = new Map<StepRow, Fraction>();
  // A step stands after all that lead to it, so all of it has arrived when its turn comes.
  for (const step of steps) {
    const arrived = arriving.get(step.id);
    if (arrived === undefined) continue;
    const weight = lowestTerms(arrived);
    passing.set(step, weight);
    for (const { addresses } of step.nameservers) {
      for (const row of addresses) arrive(row.leadsTo, multiply(weight, readFraction(row.fraction)));
    }
  }
  return passing;
}
