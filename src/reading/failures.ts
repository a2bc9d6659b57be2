import type { NameserverRow, StepRow } from '../document/steps.ts';
import type { End } from '../evaluate/end.ts';
import { type Fraction, multiply, readFraction, ZERO } from '../evaluate/fraction.ts';
import type { ResultIndex } from './result-index.ts';

/** Says all ways in which no address of a name server was found at a step. Each is the same object wherever it is met. */
export function failuresAt(step: StepRow, index: ResultIndex): (nameserver: NameserverRow) => readonly End[] {
  const failed = index.failedLookups(step);
  return ({ name, lookup, end }) => {
    if (end !== undefined) return [index.end(end)];
    if (lookup === undefined) return [];
    const { failures } = index.lookup(lookup);
    return failures.length === 0 ? [] : failures.map((failure) => failed(name, failure.end));
  };
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
  const failure = index.lookup(lookup).failures[failuresAt(step, index)(nameserver).indexOf(end)];
  return failure === undefined ? ZERO : multiply(readFraction(fraction), readFraction(failure.fraction));
}
