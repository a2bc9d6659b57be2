/* Says what ends mean to users, and groups ends that mean the same. */

import type { Name } from '../../dns/name.ts';
import { answerData, isExpected, type OutcomeRow } from '../../document/ends.ts';
import type { TraversalResult, VerdictStatus } from '../../document/result.ts';
import { endWords } from '../../document/words/end-words.ts';
import { grouped } from '../../document/words/lists.ts';
import { causeOf, type End, type EndKind, isUnknown, isUnknownKind } from '../../evaluate/end.ts';
import { add, compare, type Fraction, readFraction, ZERO } from '../../evaluate/fraction.ts';

/** What an end means by itself. */
export function ownEffect(end: End): EndEffect {
  return isUnknown(causeOf(end)) ? 'unknown' : effectOfKind(end.kind);
}

/** What an end means to users, taken by itself. */
export type EndEffect =
  /** An answer, or an authoritative denial. */
  | 'ends-well'
  | 'fails'
  /** Unexamined because of a limit or a special-purpose address. */
  | 'unknown';

/** What something means to paths: they continue, or end in one of these ways. */
export type Effect =
  | EndEffect
  | 'leads-on'
  /** An answer other than the one that most paths get. */
  | 'differs'
  /** No such name or record, where other paths get an answer. */
  | 'denies';

/** Says what an end means to its walk. */
export type EffectOf = (end: End) => Effect;

/** What ends of a kind mean, their causes apart. */
export function effectOfKind(kind: EndKind): EndEffect {
  if (isUnknownKind(kind)) return 'unknown';
  switch (kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
      return 'ends-well';
    case 'timeout':
    case 'unreachable':
    case 'malformed':
    case 'error':
    case 'lame':
    case 'servfail':
    case 'bogus':
    case 'alias-loop':
    case 'loop':
    case 'no-glue':
    case 'unresolvable-ns':
      return 'fails';
  }
}

/** Marks for readers who cannot see colours. */
export const MARKS: Readonly<Record<Effect | 'late', string>> = {
  'leads-on': '',
  'ends-well': '',
  differs: '≠',
  denies: '≠',
  fails: '✗',
  unknown: '?',
  late: '▲',
};

/** How the ends of a view compare with each other. */
export interface Comparison {
  /** The number of different answers; a denial counts as one. */
  readonly answers: number;
  /** What an end means to users, compared with what most paths get. */
  effectOf(end: End): Effect;
}

/** Compares the ends of a view. Of several answers nobody knows which is right unless one is expected, so all differ. */
export function comparisonOf(outcomes: readonly OutcomeRow[]): Comparison {
  const expected = new Set(outcomes.filter(isExpected).map(contentKey));
  const sideOf = (end: End) => (expected.has(contentKey(end)) ? 'expected' : contentKey(end));
  const contents = grouped(
    outcomes.filter((end) => ownEffect(end) === 'ends-well'),
    sideOf,
  );
  const effectOf = (end: End): Effect => {
    const effect = ownEffect(end);
    if (effect !== 'ends-well' || contents.length < 2 || expected.has(contentKey(end))) return effect;
    return end.kind === 'answer' ? 'differs' : 'denies';
  };
  return { answers: contents.length, effectOf };
}

/** A text that is equal for ends that give users the same, as a summary groups them. */
export function contentKey(end: End): string {
  return [end.kind, ...answerData(end)].join('\n');
}

/** The share of paths that end in these. */
export function weightOf(outcomes: readonly OutcomeRow[]): Fraction {
  return outcomes.map(({ fraction }) => readFraction(fraction)).reduce(add, ZERO);
}

/** The share of paths whose ends mean this, taken by themselves. */
export function effectShare(outcomes: readonly OutcomeRow[], effect: EndEffect): Fraction {
  return weightOf(outcomes.filter((end) => ownEffect(end) === effect));
}

/** One way for paths to end, with all the places where they do. */
export interface EndGroup {
  readonly outcomes: readonly [OutcomeRow, ...OutcomeRow[]];
  readonly probability: Fraction;
  readonly effect: Effect;
}

/** The ways in which the paths of a view end, most probable first. Ends are alike if they read alike. */
export function endGroups(outcomes: readonly OutcomeRow[], effectOf: EffectOf): readonly EndGroup[] {
  return grouped(outcomes, (end) => endWords(end))
    .map((alike) => ({ outcomes: alike, probability: weightOf(alike), effect: effectOf(alike[0]) }))
    .sort((a, b) => compare(b.probability, a.probability));
}

/** The server at which an end came about; undefined where zones are at fault rather than a server. */
export function blamedFor(end: End): Name | undefined {
  if (end.kind === 'alias-loop') return undefined;
  if (end.server !== null) return end.server.name;
  const cause = 'cause' in end && end.cause !== undefined ? blamedFor(end.cause) : undefined;
  return cause ?? ('nameserver' in end ? end.nameserver : undefined);
}

/** How titles and rows of each status look. */
export const STATUS_EFFECT: Readonly<Record<VerdictStatus, Effect | 'late'>> = {
  ok: 'ends-well',
  slow: 'late',
  differs: 'differs',
  partial: 'fails',
  broken: 'fails',
  unknown: 'unknown',
};

/** Whether others answered in the place of the servers, or nobody did: nothing is known of the zones. */
export function isUnheard({ verdict, users }: Pick<TraversalResult, 'verdict' | 'users'>): boolean {
  return verdict.status === 'unknown' && users.length === 0;
}

/** What to do then. */
export const TRY_ELSEWHERE = 'Run this again from a network that lets DNS queries (port 53) through.';
