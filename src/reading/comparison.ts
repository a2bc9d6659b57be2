import type { OutcomeRow } from '../document/ends.ts';
import { answerData } from '../document/summary.ts';
import type { End } from '../evaluate/end.ts';
import { add, compare, type Fraction, readFraction, ZERO } from '../evaluate/fraction.ts';
import { type Bearing, bearingOf } from './bearing.ts';
import { grouped } from './grouped.ts';

/** How the ends of a view compare with each other. */
export interface Comparison {
  /** How many different things paths get, of those that get an answer or learn that there is none. */
  readonly answers: number;
  /** What most paths get, if that is one thing. */
  readonly usual: End | undefined;
  /** What an end means to users beside what most paths get. */
  judge(end: End): Bearing;
}

/** Compares the ends of a view. Where two things are equally probable, nobody knows which is right: both differ. */
export function comparisonOf(outcomes: readonly OutcomeRow[]): Comparison {
  const contents = grouped(
    outcomes.filter((end) => bearingOf(end) === 'ends-well'),
    contentKey,
  );
  const usual = mostProbable(contents);
  const usualKey = usual && contentKey(usual);
  const judge = (end: End): Bearing => {
    const bearing = bearingOf(end);
    if (bearing !== 'ends-well' || contents.length < 2 || contentKey(end) === usualKey) return bearing;
    return end.kind === 'answer' ? 'differs' : 'denies';
  };
  return { answers: contents.length, usual, judge };
}

function mostProbable(contents: ReturnType<typeof grouped<OutcomeRow>>): End | undefined {
  const [first, second] = contents
    .map((alike) => ({ end: alike[0], weight: weightOf(alike) }))
    .sort((a, b) => compare(b.weight, a.weight));
  return second !== undefined && compare(second.weight, first?.weight ?? ZERO) === 0 ? undefined : first?.end;
}

/** The text that is equal for ends in which users get the same: what a summary tells apart. */
export function contentKey(end: End): string {
  return [end.kind, ...answerData(end)].join('\n');
}

/** How much of all paths ends in these. */
export function weightOf(outcomes: readonly OutcomeRow[]): Fraction {
  return outcomes.map(({ fraction }) => readFraction(fraction)).reduce(add, ZERO);
}
