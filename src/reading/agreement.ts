import type { OutcomeRow } from '../document/ends.ts';
import { answerData } from '../document/summary.ts';
import type { End } from '../evaluate/end.ts';
import { add, compare, type Fraction, readFraction, ZERO } from '../evaluate/fraction.ts';
import { bearingOf } from './doing.ts';
import { grouped } from './grouped.ts';

/** Tells whether an end gives something else than most paths get: another answer, or none where they get one. */
export type Differs = (end: End) => boolean;

/**
 * Compares what the paths of a traversal come to. Where no answer is more probable than all others,
 * nobody knows which is right, so each of them differs.
 */
export function differences(outcomes: readonly OutcomeRow[]): Differs {
  const usual = usualContent(outcomes);
  const several = contents(outcomes).length > 1;
  return (end) => several && bearingOf(end) === 'ends-well' && contentKey(end) !== usual;
}

/** How many different things paths get, of those that get an answer or learn that there is none. */
export function differentAnswers(outcomes: readonly OutcomeRow[]): number {
  return contents(outcomes).length;
}

/** What most paths get, if that is one thing. */
function usualContent(outcomes: readonly OutcomeRow[]): string | undefined {
  const weighed = contents(outcomes)
    .map((alike) => ({ key: contentKey(alike[0]), weight: weightOf(alike) }))
    .sort((a, b) => compare(b.weight, a.weight));
  const [first, second] = weighed;
  if (first === undefined) return undefined;
  return second !== undefined && compare(first.weight, second.weight) === 0 ? undefined : first.key;
}

function contents(outcomes: readonly OutcomeRow[]): ReturnType<typeof grouped<OutcomeRow>> {
  return grouped(
    outcomes.filter((end) => bearingOf(end) === 'ends-well'),
    contentKey,
  );
}

/** The same as a summary tells apart. */
function contentKey(end: End): string {
  return [end.kind, ...answerData(end)].join('\n');
}

/** How much of all paths ends so. */
export function weightOf(outcomes: readonly OutcomeRow[]): Fraction {
  return outcomes.map(({ fraction }) => readFraction(fraction)).reduce(add, ZERO);
}
