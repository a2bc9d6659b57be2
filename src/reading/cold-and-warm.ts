import type { SummaryRow } from '../document/ends.ts';
import type { TraversalResult } from '../document/result.ts';
import { compare, type Fraction, readFraction, ZERO } from '../evaluate/fraction.ts';
import { endTerm } from './summary-line.ts';

/** The views of a result in which users can get something. */
const VIEWS = ['paths', 'pathsWarm', 'resolvers', 'resolversWarm'] as const;

/** What users get, and the share that get it in each view. */
export interface ComparedShare extends Readonly<Record<(typeof VIEWS)[number], Fraction>> {
  /** An answer's data, or the term for a kind of end. */
  readonly term: string;
}

/**
 * Whether users get the same whose resolver has learnt the zones' own name servers: svc-model(7), COLD AND
 * WARM. `unknown` if only the parents' delegations were walked.
 */
export function warmthOf(result: TraversalResult): 'unknown' | 'same' | 'differs' {
  if (result.warm === undefined) return 'unknown';
  const isSame = ({ paths, pathsWarm, resolvers, resolversWarm }: ComparedShare) =>
    compare(paths, pathsWarm) === 0 && compare(resolvers, resolversWarm) === 0;
  return comparedShares(result).every(isSame) ? 'same' : 'differs';
}

/** What users get in the cold and the warm views, in the order of the cold ones. Empty without warm views. */
export function comparedShares({
  summary,
  resolver,
  warm,
}: Pick<TraversalResult, 'summary' | 'resolver' | 'warm'>): readonly ComparedShare[] {
  if (warm === undefined) return [];
  const shares = {
    paths: sharesOf(summary),
    pathsWarm: sharesOf(warm.summary),
    resolvers: sharesOf(resolver.summary),
    resolversWarm: sharesOf(warm.resolver.summary),
  };
  const terms = new Set(VIEWS.flatMap((view) => [...shares[view].keys()]));
  const share = (view: (typeof VIEWS)[number], term: string) => shares[view].get(term) ?? ZERO;
  return [...terms].map((term) => ({
    term,
    paths: share('paths', term),
    pathsWarm: share('pathsWarm', term),
    resolvers: share('resolvers', term),
    resolversWarm: share('resolversWarm', term),
  }));
}

function sharesOf(summary: readonly SummaryRow[]): ReadonlyMap<string, Fraction> {
  return new Map(summary.map((row) => [endTerm(row), readFraction(row.fraction)]));
}
