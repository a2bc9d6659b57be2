import type { StepRow } from '../../document/steps.ts';
import type { End } from '../../evaluate/end.ts';
import { add, divide, type Fraction, multiply, readFraction } from '../../evaluate/fraction.ts';
import { type Bearing, bearingOf } from '../../reading/doing.ts';
import { grouped } from '../../reading/grouped.ts';
import { type Graph, walk } from '../../reading/result-index.ts';
import { familyOf } from '../../wire/address.ts';
import type { Name } from '../../wire/name.ts';
import type { Question } from '../../wire/question.ts';
import type { Begin } from './flow.ts';
import type { Walks } from './walk.ts';

/** Every lookup of one name and type, wherever paths needed it. */
export interface Lookup extends Walks {
  readonly question: Question & { readonly type: 'A' | 'AAAA' };
  /** How many lookups of it the average path makes. */
  readonly weight: Fraction;
  /** Zones on the way, the root left out. */
  readonly zones: readonly Name[];
  readonly addresses: readonly string[];
  /** What went wrong in it, each once. */
  readonly trouble: readonly End[];
}

/** The lookups in a graph, by the name looked up. */
export function lookupsIn(graph: Graph): ReadonlyMap<Name, readonly Lookup[]> {
  const needs = graph.steps.flatMap(needsOf);
  const lacking = new Set(needs.filter(({ lacking }) => lacking).map(({ name }) => name));
  const lookups = grouped(needs, ({ name, type }) => `${name} ${type}`).map((same) =>
    lookupOf(same, lacking.has(same[0].name) ? 'fails' : 'ends-well', graph),
  );
  return new Map(grouped(lookups, ({ question }) => question.name).map((own) => [own[0].question.name, own]));
}

/** A step's need of one lookup. */
interface Need extends Begin {
  readonly name: Name;
  readonly type: 'A' | 'AAAA';
  readonly addresses: readonly string[];
  /** Whether some paths got no address at all there. */
  readonly lacking: boolean;
}

function needsOf({ fraction, nameservers }: StepRow): readonly Need[] {
  const passing = readFraction(fraction);
  return nameservers.flatMap(({ name, fraction, lookups = [], addresses, failures = [] }) =>
    lookups.map(({ type, ...leadsTo }) => ({
      name,
      type,
      leadsTo,
      weight: multiply(passing, readFraction(fraction)),
      addresses: addresses.map(({ address }) => address),
      lacking: failures.length > 0,
    })),
  );
}

function lookupOf(same: readonly [Need, ...Need[]], nodata: Bearing, graph: Graph): Lookup {
  const { name, type } = same[0];
  const weight = same.map((need) => need.weight).reduce(add);
  const judge = (end: End) => bearingIn(end, nodata);
  const steps = walk(
    same.map(({ leadsTo }) => leadsTo),
    graph,
  );
  const family = type === 'A' ? 4 : 6;
  return {
    question: { name, type },
    begins: same.map(({ leadsTo, weight: part }) => ({ leadsTo, weight: divide(part, weight) })),
    judge,
    weight,
    zones: [...new Set(steps.map(({ zone }) => zone))].filter((zone) => zone !== '.'),
    addresses: [...new Set(same.flatMap(({ addresses }) => addresses))].filter(
      (address) => familyOf(address) === family,
    ),
    trouble: troubleIn(same, steps, judge, graph),
  };
}

/** In a lookup, that there is no such name is trouble; that there is no address of the type only if one was missed. */
function bearingIn(end: End, nodata: Bearing): Bearing {
  if (end.kind === 'nxdomain') return 'fails';
  return end.kind === 'nodata' ? nodata : bearingOf(end);
}

function troubleIn(
  begins: readonly Begin[],
  steps: readonly StepRow[],
  judge: (end: End) => Bearing,
  graph: Graph,
): readonly End[] {
  const leads = steps.flatMap(({ nameservers }) =>
    nameservers.flatMap(({ addresses, failures = [] }) => [
      ...addresses.map(({ leadsTo }) => leadsTo),
      ...failures,
    ]),
  );
  const ends = [...begins.map(({ leadsTo }) => leadsTo), ...leads].flatMap((lead) =>
    'end' in lead ? [graph.end(lead.end)] : [],
  );
  return ends.filter((end) => judge(end) !== 'ends-well');
}
