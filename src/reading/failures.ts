import type { NameserverRow, StepRow } from '../document/steps.ts';
import type { End } from '../evaluate/end.ts';
import { whereIs } from '../evaluate/failed-lookup.ts';
import { type Fraction, multiply, readFraction } from '../evaluate/fraction.ts';
import type { ResultIndex } from './result-index.ts';

/** A way in which no address of a name server was found, and its share of the step. */
export interface FailureView {
  /** The same object wherever it is met. */
  readonly end: End;
  readonly share: () => Fraction;
}

/** All ways in which no address of a name server was found at a step. */
export function failuresAt(
  { question, zone }: StepRow,
  { name, fraction, lookup, end }: NameserverRow,
  index: ResultIndex,
): readonly FailureView[] {
  if (end !== undefined) return [{ end: index.end(end), share: () => readFraction(fraction) }];
  if (lookup === undefined) return [];
  const failed = index.failedLookup({ question, zone, name, where: whereIs(name, zone) });
  return index.lookup(lookup).failures.map((failure) => ({
    end: failed(failure.end),
    share: () => multiply(readFraction(fraction), readFraction(failure.fraction)),
  }));
}
