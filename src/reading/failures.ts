import type { NameserverRow, StepRow } from '../document/steps.ts';
import type { End } from '../evaluate/end.ts';
import { whereIs } from '../evaluate/failed-lookup.ts';
import { type Fraction, multiply, readFraction, ZERO } from '../evaluate/fraction.ts';
import type { ResultIndex } from './result-index.ts';

/** All ways in which no address of a name server was found at a step. Each is the same object wherever it is met. */
export function failuresAt(
  { question, zone }: StepRow,
  { name, lookup, end }: NameserverRow,
  index: ResultIndex,
): readonly End[] {
  if (end !== undefined) return [index.end(end)];
  if (lookup === undefined) return [];
  const { failures } = index.lookup(lookup);
  if (failures.length === 0) return [];
  const failed = index.failedLookup({ question, zone, name, where: whereIs(name, zone) });
  return failures.map((failure) => failed(failure.end));
}

/** The share of a step that is left without an address of a name server by one of the ends that `failuresAt` gives for it. */
export function failedShare(
  step: StepRow,
  nameserver: NameserverRow,
  end: End,
  index: ResultIndex,
): Fraction {
  const { fraction, lookup } = nameserver;
  if (lookup === undefined) return readFraction(fraction);
  const failure = index.lookup(lookup).failures[failuresAt(step, nameserver, index).indexOf(end)];
  return failure === undefined ? ZERO : multiply(readFraction(fraction), readFraction(failure.fraction));
}
