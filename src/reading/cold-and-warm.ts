import type { SummaryRow } from '../document/ends.ts';
import type { TraversalResult } from '../document/result.ts';
import { isUnknownKind } from '../evaluate/end.ts';
import { compare, type Fraction, readFraction, sum, ZERO } from '../evaluate/fraction.ts';
import { sharesOf } from './compared-shares.ts';
import { isIntercepted } from './finding-place.ts';
import { type KnownShares, sureDifference } from './sure-difference.ts';

/** The views of a result in which users can get something. */
const VIEWS = ['paths', 'pathsWarm', 'resolvers', 'resolversWarm'] as const;

type ViewName = (typeof VIEWS)[number];

/** The parts of a result that have the cold and the warm views. */
type Viewed = Pick<TraversalResult, 'summary' | 'resolver' | 'warm'>;

/** How what users get once their resolver has learnt the zones' own name servers compares with what they get before. */
export type Warmth =
  /** Only the parents' delegations were walked, or somebody else answered for the servers. */
  | { readonly kind: 'not-compared' }
  | { readonly kind: 'same' }
  /** For certain, whatever was not examined. */
  | { readonly kind: 'differs' }
  /** Too much of a view was not examined: this share. */
  | { readonly kind: 'unknown'; readonly view: ViewName; readonly unexamined: Fraction };

/** Compares the cold and the warm views of a result: svc-model(7), COLD AND WARM. */
export function warmthOf(result: Viewed & Pick<TraversalResult, 'findings'>): Warmth {
  const summaries = summariesOf(result);
  if (summaries === undefined || isIntercepted(result)) return { kind: 'not-compared' };
  const shares = (view: ViewName) => knownShares(summaries[view]);
  const differs = ([cold, warm]: readonly [ViewName, ViewName]) =>
    sureDifference(shares(cold), shares(warm)) !== 'nothing';
  if (COMPARED.some(differs)) return { kind: 'differs' };
  for (const view of WARM_FIRST) {
    const { unknown } = shares(view);
    if (compare(unknown, ZERO) > 0) return { kind: 'unknown', view, unexamined: unknown };
  }
  return { kind: 'same' };
}

const COMPARED = [
  ['paths', 'pathsWarm'],
  ['resolvers', 'resolversWarm'],
] as const;

const WARM_FIRST: readonly ViewName[] = ['resolversWarm', 'pathsWarm', 'resolvers', 'paths'];

function summariesOf({
  summary,
  resolver,
  warm,
}: Viewed): Readonly<Record<ViewName, readonly SummaryRow[]>> | undefined {
  if (warm === undefined) return undefined;
  return {
    paths: summary,
    pathsWarm: warm.summary,
    resolvers: resolver.summary,
    resolversWarm: warm.resolver.summary,
  };
}

/** What users get in a view, and the share of it that was not examined. */
export function knownShares(summary: readonly SummaryRow[]): KnownShares {
  const unknown = summary.filter(({ kind }) => isUnknownKind(kind));
  return {
    known: sharesOf(summary.filter(({ kind }) => !isUnknownKind(kind))),
    unknown: sum(unknown.map(({ fraction }) => readFraction(fraction))),
  };
}
