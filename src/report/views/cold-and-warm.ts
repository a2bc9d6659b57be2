import type { SummaryRow } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import { type KnownShares, sureDifference } from '../../document/views.ts';
import { percentage } from '../../document/words/quantities.ts';
import type { Detail } from '../../document/words/shortened.ts';
import { isUnknownKind } from '../../evaluate/end.ts';
import { compare, type Fraction, readFraction, sum, ZERO } from '../../evaluate/fraction.ts';
import { isIntercepted } from './findings.ts';
import { sharesOf, summaryLine } from './wording.ts';

/** The views of a result in which users can get something. */
const VIEWS = ['paths', 'pathsWarm', 'resolvers', 'resolversWarm'] as const;

type ViewName = (typeof VIEWS)[number];

/** The parts of a result that have the cold and the warm views. */
type Viewed = Pick<TraversalResult, 'summary' | 'resolver' | 'warm'>;

/** How what users get once their resolver has learnt the zones' own name servers compares with what they get before. */
type Warmth =
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

/** Says what a resolver gets once it knows the zones' own name servers; undefined where nothing was compared. */
export function warmWords(result: TraversalResult, detail: Detail): string | undefined {
  const warmth = warmthOf(result);
  switch (warmth.kind) {
    case 'not-compared':
      return undefined;
    case 'same':
      return 'the same';
    case 'unknown':
      return `not known: ${unexaminedWords(warmth)}`;
    case 'differs':
      return result.warm === undefined ? undefined : summaryLine(result.warm.resolver.summary, detail);
  }
}

/** "100 % of warm lookups were not examined" */
function unexaminedWords({ view, unexamined }: Extract<Warmth, { kind: 'unknown' }>): string {
  return `${percentage(unexamined)} of ${VIEW_WORDS[view]} were not examined`;
}

const VIEW_WORDS = {
  paths: 'paths',
  pathsWarm: 'warm paths',
  resolvers: 'lookups',
  resolversWarm: 'warm lookups',
} as const;
