import type { Outcome } from '../evaluate/distribution.ts';
import { type End, unexamined } from '../evaluate/end.ts';
import { add, compare, type Fraction, fractionText, lowestTerms, toNumber } from '../evaluate/fraction.ts';
import { comparableData } from '../wire/record.ts';
import type { Records } from '../wire/records.ts';
import type { OutcomeRow, SummaryRow } from './ends.ts';
import type { Exact } from './measures.ts';

/** The two spellings of a probability. */
export function exact(probability: Fraction): Exact {
  const fraction = lowestTerms(probability);
  return { probability: toNumber(fraction), fraction: fractionText(fraction) };
}

/** An outcome as the result lists it. */
export function outcomeRow({ end, probability }: Outcome): OutcomeRow {
  return { ...end, ...exact(probability) };
}

/**
 * Outcomes grouped by kind, and answers by their sorted set of data; most probable first. An end whose
 * cause was not examined counts as that: nobody knows that it is trouble.
 */
export function summarise(outcomes: readonly Outcome[]): readonly SummaryRow[] {
  const groups = new Map<string, { end: End; probability: Fraction }>();
  for (const outcome of outcomes) {
    const end = unexamined(outcome.end) ?? outcome.end;
    const key = [end.kind, ...answerData(end)].join('\n');
    const known = groups.get(key)?.probability;
    const probability = known === undefined ? outcome.probability : add(known, outcome.probability);
    groups.set(key, { end, probability });
  }
  return [...groups.values()]
    .sort((a, b) => compare(b.probability, a.probability))
    .map(({ end, probability }) => ({ ...exact(probability), kind: end.kind, ...besidesKind(end) }));
}

function besidesKind(end: End): Pick<SummaryRow, 'answer' | 'reason'> {
  if (end.kind === 'answer') return { answer: answerData(end) };
  return end.kind === 'time-limit' && end.reason !== undefined ? { reason: end.reason } : {};
}

/** The sorted set of an answer's data; empty for other ends. */
export function answerData(end: End): readonly string[] {
  return end.kind === 'answer' ? dataOf(end.records) : [];
}

/** The sorted set of the data of some records. */
export function dataOf(records: Records): readonly string[] {
  return [...new Set(records.map(comparableData))].sort();
}
