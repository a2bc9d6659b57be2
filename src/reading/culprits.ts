import type { OutcomeRow } from '../document/ends.ts';
import type { TraversalResult } from '../document/result.ts';

import { exact } from '../document/summary.ts';
import type { End, PickedServer } from '../evaluate/end.ts';
import { compare, type Fraction, multiply, readFraction } from '../evaluate/fraction.ts';
import type { Name } from '../wire/name.ts';
import type { Bearing } from './bearing.ts';
import { comparisonOf, weightOf } from './comparison.ts';
import { isIntercepted } from './finding-place.ts';
import { grouped } from './grouped.ts';
import { securityIn } from './security-at.ts';

/** A name server at which paths go wrong: they fail there, end in something else than most, or hear what does not verify. */
export interface Culprit {
  readonly name: Name;
  /** Of the paths that go wrong there, cold or warm, whichever are more. */
  readonly share: Fraction;
  /** Each as often as paths end so, in the view where most do. */
  readonly ends: readonly OutcomeRow[];
}

/** What it takes to find them. */
type Told = Pick<TraversalResult, 'outcomes' | 'warm' | 'findings' | 'validating' | 'steps' | 'exchanges'>;

/** The name servers at which paths of a result go wrong, the worst first; none where others answered for them. */
export function culpritsOf(result: Told): readonly Culprit[] {
  if (isIntercepted(result)) return [];
  const walks = [result, ...(result.warm === undefined ? [] : [result.warm])].flatMap(culpritsIn);
  const found = [...walks, ...culpritsWithoutProof(result)];
  const worstFirst = found.sort((a, b) => compare(b.share, a.share));
  return grouped(worstFirst, ({ name }) => name).map(([worst]) => worst);
}

/** Those whose replies do not verify, where somebody asked for that. */
function culpritsWithoutProof({ validating, steps, exchanges }: Told): readonly Culprit[] {
  if (validating === undefined) return [];
  const securityAt = securityIn({ exchanges });
  const bogus = steps.flatMap(({ zone, question, nameservers, ...step }) =>
    nameservers.flatMap(({ name, addresses }) =>
      addresses.flatMap((row): readonly BogusOutcome[] => {
        const reason = securityAt(row, zone)?.reason;
        if (reason === undefined) return [];
        const part = exact(multiply(readFraction(step.fraction), readFraction(row.fraction)));
        return [{ kind: 'bogus', reason, zone, question, server: { name, address: row.address }, ...part }];
      }),
    ),
  );
  return grouped(bogus, ({ server }) => server.name).map((ends) => {
    return { name: ends[0].server.name, share: weightOf(ends), ends };
  });
}

type BogusOutcome = Extract<OutcomeRow, { kind: 'bogus' }> & { readonly server: PickedServer };

function culpritsIn({ outcomes }: Pick<TraversalResult, 'outcomes'>): readonly Culprit[] {
  const { judge } = comparisonOf(outcomes);
  const wrong = outcomes.flatMap((end) => {
    const name = WRONG[judge(end)] ? blamedFor(end) : undefined;
    return name === undefined ? [] : [{ name, end }];
  });
  return grouped(wrong, ({ name }) => name).map((own) => {
    const ends = own.map(({ end }) => end);
    return { name: own[0].name, share: weightOf(ends), ends };
  });
}

const WRONG: Readonly<Record<Bearing, boolean>> = {
  'leads-on': false,
  'ends-well': false,
  differs: true,
  denies: true,
  fails: true,
  unknown: false,
};

/** The server at which an end came about; undefined where zones are at fault rather than a server. */
function blamedFor(end: End): Name | undefined {
  if (end.kind === 'alias-loop') return undefined;
  if (end.server !== null) return end.server.name;
  const cause = 'cause' in end && end.cause !== undefined ? blamedFor(end.cause) : undefined;
  return cause ?? ('nameserver' in end ? end.nameserver : undefined);
}
