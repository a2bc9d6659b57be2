/* Compares the cold views of a result with the warm ones, and validating resolvers with others. */

import type { Security } from '../../dns/dnssec/verdict.ts';
import type { OutcomeRow, SummaryRow } from '../../document/ends.ts';
import type { Conclusion } from '../../document/events.ts';
import type { TraversalResult, ValidatingRow } from '../../document/result.ts';
import { type KnownShares, sureDifference, type View } from '../../document/views.ts';
import { endWords } from '../../document/words/end-words.ts';
import { grouped } from '../../document/words/lists.ts';
import { percentage } from '../../document/words/quantities.ts';
import type { Detail, Shorten } from '../../document/words/shortened.ts';
import { type End, isUnknownKind } from '../../evaluate/end.ts';
import {
  add,
  compare,
  equals,
  type Fraction,
  ONE,
  readFraction,
  sum,
  ZERO,
} from '../../evaluate/fraction.ts';
import { effectShare, weightOf } from './effects.ts';
import { isIntercepted } from './findings.ts';
import { sharesOf, summaryLine } from './wording.ts';

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
function knownShares(summary: readonly SummaryRow[]): KnownShares {
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

/** What the users of a view get, and how much of that is proven: "100 % 192.0.2.80 (secure)". */
export function validatedWords({ outcomes, summary }: View, detail: Detail): string {
  const line = summaryLine(summary, detail);
  const proof = proofWords(outcomes);
  return proof === undefined ? line : `${line} (${proof})`;
}

/** "secure", "insecure", "50 % secure"; undefined where nobody gets anything that could be either. */
function proofWords(outcomes: readonly OutcomeRow[]): string | undefined {
  const having = (security: Security) =>
    weightOf(outcomes.filter((end) => 'security' in end && end.security === security));
  const [secure, insecure] = [having('secure'), having('insecure')];
  const either = add(secure, insecure);
  if (equals(either, ZERO)) return undefined;
  const whose = equals(either, ONE) ? '' : 'answers ';
  if (equals(insecure, ZERO)) return `${whose}secure`;
  return equals(secure, ZERO) ? `${whose}insecure` : `${percentage(secure)} secure`;
}

/** What the users of both sorts of validating resolvers get, once where it is the same. */
export function bothReadingsWords(
  { summary, firstTry }: NonNullable<Conclusion['validating']>,
  detail: Detail,
): string {
  const tryingOn = summaryLine(summary, detail);
  const first = summaryLine(firstTry.summary, detail);
  return tryingOn === first ? first : `${tryingOn}; with the first reply ${first}`;
}

/** Says how many get nothing because their resolver validates; undefined if nobody does. */
export function validatingFailureWords(
  result: Pick<TraversalResult, 'resolver' | 'validating' | 'findings'>,
) {
  const failures = validatingFailures(result);
  return failures === undefined ? undefined : failureWords(failures);
}

const BEHIND = 'behind validating resolvers';

function failureWords({ tryingOn, firstTry }: ValidatingFailures): string {
  if (equals(tryingOn, firstTry)) return `${failing(tryingOn)} ${BEHIND}`;
  const few = `${failing(firstTry)} ${BEHIND} that do not retry`;
  return compare(tryingOn, ZERO) === 0
    ? few
    : `${failing(tryingOn)} ${BEHIND}, ${percentage(firstTry)} if they do not retry`;
}

function failing(share: Fraction): string {
  return equals(share, ONE) ? 'everything fails' : `${percentage(share)} of lookups fail`;
}

type ValidatingBasis = Pick<TraversalResult, 'resolver' | 'validating' | 'findings'>;

/** How what validating resolvers' users get compares with what others get. */
type ValidatingDifference =
  /** Nobody asked for that, or somebody else answered for the servers. */
  | 'not-validated'
  /** Nothing differs for certain. */
  | 'same'
  | 'differs';

/** Compares the validating views of a result with its resolver view: svc-model(7), VALIDATING. */
export function validatingDifference(result: ValidatingBasis): ValidatingDifference {
  const { validating, resolver } = result;
  if (validating === undefined || isIntercepted(result)) return 'not-validated';
  const differs = ({ summary }: Pick<View, 'summary'>) =>
    sureDifference(knownShares(resolver.summary), knownShares(summary)) !== 'nothing';
  return [validating, validating.firstTry].some(differs) ? 'differs' : 'same';
}

/** The shares of validating resolvers' users who get nothing. */
interface ValidatingFailures {
  /** Where the resolver tries another server if a reply does not verify. */
  readonly tryingOn: Fraction;
  /** Where it takes the first reply. */
  readonly firstTry: Fraction;
}

/** How many of validating resolvers' users get nothing, if these are more than of others; else undefined. */
export function validatingFailures(result: ValidatingBasis): ValidatingFailures | undefined {
  const { validating, resolver } = result;
  if (validating === undefined || isIntercepted(result)) return undefined;
  const anyway = effectShare(resolver.outcomes, 'fails');
  const failing = ({ outcomes }: View) => effectShare(outcomes, 'fails');
  const failures = { tryingOn: failing(validating), firstTry: failing(validating.firstTry) };
  return Object.values(failures).some((share) => compare(share, anyway) > 0) ? failures : undefined;
}

/** What validating resolvers' users get, and how many of them. */
interface ValidatedShare {
  /** One of the ends that read so. */
  readonly end: End;
  readonly words: string;
  /** Where the resolver tries another server if a reply does not verify. */
  readonly tryingOn: Fraction;
  /** Where it takes the first reply. */
  readonly firstTry: Fraction;
}

/** What validating resolvers' users get, in the order of the first reading that has it. */
export function validatedShares(
  { outcomes, firstTry }: ValidatingRow,
  shorten: Shorten,
): readonly ValidatedShare[] {
  const wordsOf = (end: End) => endWords(end, shorten);
  const shareIn = (view: readonly OutcomeRow[], words: string) =>
    weightOf(view.filter((end) => wordsOf(end) === words));
  return grouped([...outcomes, ...firstTry.outcomes], wordsOf).map(([end]) => {
    const words = wordsOf(end);
    return { end, words, tryingOn: shareIn(outcomes, words), firstTry: shareIn(firstTry.outcomes, words) };
  });
}

/** Whether it makes no difference if a resolver retries. */
export function readingsAgree(shares: readonly ValidatedShare[]): boolean {
  return shares.every(({ tryingOn, firstTry }) => equals(tryingOn, firstTry));
}
