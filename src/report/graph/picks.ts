import type { LeadsTo, StepRow } from '../../document/steps.ts';
import { type Fraction, multiply, readFraction } from '../../evaluate/fraction.ts';
import { type Doing, doingAt, doingOf } from '../../reading/doing.ts';
import type { Graph } from '../../reading/result-index.ts';
import type { Name } from '../../wire/name.ts';

/** One way to leave a step: a name server and an address of it, or none that was to be had. */
export interface Pick {
  readonly name: Name;
  readonly address?: string;
  readonly doing: Doing;
  readonly leadsTo: LeadsTo;
  /** Whether the address was looked up, or was to be. */
  readonly lookup: 'needed' | 'not-needed';
  readonly probability: Fraction;
}

/** The ways to leave a step that so much passes. Their probabilities add up to that. */
export function picksOf(step: StepRow, passing: Fraction, graph: Graph): readonly Pick[] {
  const part = ({ fraction }: { readonly fraction: string }) => multiply(passing, readFraction(fraction));
  return step.nameservers.flatMap(({ name, lookups, addresses, failures = [] }) => {
    const lookup = lookups === undefined ? ('not-needed' as const) : ('needed' as const);
    return [
      ...addresses.map((row) => ({
        name,
        address: row.address,
        doing: doingAt(row, graph),
        leadsTo: row.leadsTo,
        lookup,
        probability: part(row),
      })),
      ...failures.map((row) => ({
        name,
        doing: doingOf(graph.end(row.end)),
        leadsTo: { end: row.end },
        lookup,
        probability: part(row),
      })),
    ];
  });
}
