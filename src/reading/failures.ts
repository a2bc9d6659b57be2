import type { NameserverRow, StepRow } from '../document/steps.ts';
import type { End } from '../evaluate/end.ts';
import { failedLookupEnd, whereIs } from '../evaluate/failed-lookup.ts';
import { type Fraction, multiply, readFraction } from '../evaluate/fraction.ts';
import type { ResultIndex } from './result-index.ts';

/** A way in which no address of a name server was found, and its share of the step. */
export interface FailureView {
  readonly end: End;
  readonly share: Fraction;
}

/** All ways in which no address of a name server was found at a step. */
export function failuresAt(
  { question, zone }: StepRow,
  { name, fraction, lookup, end }: NameserverRow,
  index: ResultIndex,
): readonly FailureView[] {
  const share = readFraction(fraction);
  if (end !== undefined) return [{ end: index.end(end), share }];
  if (lookup === undefined) return [];
  const lacking = { question, zone, name, where: whereIs(name, zone) };
  return index.lookup(lookup).failures.map((failure) => ({
    end: failedLookupEnd(lacking, index.end(failure.end)),
    share: multiply(share, readFraction(failure.fraction)),
  }));
}
