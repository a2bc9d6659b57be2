import type { OutcomeRow } from '../document/ends.ts';
import { answerData } from '../document/summary.ts';
import type { End } from '../evaluate/end.ts';
import { add, compare, type Fraction, readFraction, ZERO } from '../evaluate/fraction.ts';
import { type Bearing, bearingOf, type EndBearing } from './bearing.ts';
import { grouped } from './grouped.ts';

/** How the ends of a view compare with each other. */
interface Comparison {
  /** The number of different answers; a denial counts as one. */
  readonly answers: number;
  /** The answer, or denial, that most paths get; undefined where no single one is the most common. */
  readonly usual: End | undefined;
  /** What an end means to users, compared with what most paths get. */
  judge(end: End): Bearing;
}

/** Compares the ends of a view. Of two equally probable answers nobody knows which is right, so both differ. */
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

/** A text that is equal for ends that give users the same, as a summary groups them. */
export function contentKey(end: End): string {
  return [end.kind, ...answerData(end)].join('\n');
}

/** The share of paths that end in these. */
export function weightOf(outcomes: readonly OutcomeRow[]): Fraction {
  return outcomes.map(({ fraction }) => readFraction(fraction)).reduce(add, ZERO);
}

/** The share of paths whose ends mean this, taken by themselves. */
export function bearingShare(outcomes: readonly OutcomeRow[], bearing: EndBearing): Fraction {
  return weightOf(outcomes.filter((end) => bearingOf(end) === bearing));
}
