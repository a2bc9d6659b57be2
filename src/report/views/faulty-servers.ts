import type { Name } from '../../dns/name.ts';
import { exact, isExpected, type OutcomeRow } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import { type AllViews, type View, viewsOf } from '../../document/views.ts';
import { grouped } from '../../document/words/lists.ts';
import type { PickedServer } from '../../evaluate/end.ts';
import { compare, type Fraction, multiply, readFraction } from '../../evaluate/fraction.ts';
import { blamedFor, comparisonOf, type Effect, ownEffect, weightOf } from './effects.ts';
import { isIntercepted } from './findings.ts';
import { securityIn } from './result-index.ts';

/** A name server at which paths go wrong: they fail there, end in something else than most, or hear what does not verify. */
export interface FaultyServer {
  readonly name: Name;
  /** Of the paths that go wrong there, cold or warm, whichever are more. */
  readonly share: Fraction;
  /** Each as often as paths end so, in the view where most do. */
  readonly ends: readonly OutcomeRow[];
}

/** What it takes to find them. */
type FaultEvidence = AllViews & Pick<TraversalResult, 'findings' | 'steps' | 'exchanges'>;

/** The name servers at which paths of a result go wrong, the worst first; none where others answered for them. */
export function faultyServersOf(result: FaultEvidence): readonly FaultyServer[] {
  if (isIntercepted(result)) return [];
  const tries = viewsOf(result).filter(({ row }) => row.of === 'tries');
  const found = [...tries.flatMap(({ view }) => faultyServersIn(view)), ...bogusServersIn(result)];
  const worstFirst = found.sort((a, b) => compare(b.share, a.share));
  return grouped(worstFirst, ({ name }) => name).map(([worst]) => worst);
}

/** Those whose replies do not verify, where somebody asked for that. */
function bogusServersIn({ views: { validating }, steps, exchanges }: FaultEvidence): readonly FaultyServer[] {
  if (validating === undefined) return [];
  const securityAt = securityIn({ exchanges });
  const bogus = steps.flatMap(({ zone, question, nameservers, ...step }) =>
    nameservers.flatMap(({ name, addresses }) =>
      addresses.flatMap((row): readonly BogusOutcome[] => {
        const security = securityAt(row, zone);
        const reason = security?.status === 'bogus' ? security.reason : undefined;
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

function faultyServersIn({ outcomes }: View): readonly FaultyServer[] {
  // Where no answer is expected, nobody knows which servers are wrong.
  const meaning = outcomes.some(isExpected) ? comparisonOf(outcomes).effectOf : ownEffect;
  const wrong = outcomes.flatMap((end) => {
    const name = WRONG[meaning(end)] ? blamedFor(end) : undefined;
    return name === undefined ? [] : [{ name, end }];
  });
  return grouped(wrong, ({ name }) => name).map((own) => {
    const ends = own.map(({ end }) => end);
    return { name: own[0].name, share: weightOf(ends), ends };
  });
}

const WRONG: Readonly<Record<Effect, boolean>> = {
  'leads-on': false,
  'ends-well': false,
  differs: true,
  denies: true,
  fails: true,
  unknown: false,
};
