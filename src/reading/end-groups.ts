import type { OutcomeRow } from '../document/ends.ts';
import { compare, type Fraction } from '../evaluate/fraction.ts';
import type { Bearing, Judge } from './bearing.ts';
import { weightOf } from './comparison.ts';
import { endWords } from './end-words.ts';
import { grouped } from './grouped.ts';

/** One way for paths to end, with all the places where they do. */
export interface EndGroup {
  readonly outcomes: readonly [OutcomeRow, ...OutcomeRow[]];
  readonly probability: Fraction;
  readonly bearing: Bearing;
}

/** The ways in which the paths of a view end, most probable first. Ends are alike if they read alike. */
export function endGroups(outcomes: readonly OutcomeRow[], judge: Judge): readonly EndGroup[] {
  return grouped(outcomes, (end) => endWords(end))
    .map((alike) => ({ outcomes: alike, probability: weightOf(alike), bearing: judge(alike[0]) }))
    .sort((a, b) => compare(b.probability, a.probability));
}
