import { type End, type EndKind, unexamined } from '../evaluate/end.ts';
import type { Outcome } from '../evaluate/evaluate.ts';
import { add, compare, type Fraction, fractionText, toNumber } from '../evaluate/fraction.ts';
import type { Exact, OutcomeRow, SummaryRow } from './result.ts';

/** The two spellings of a probability. */
export function exact(probability: Fraction): Exact {
  return { probability: toNumber(probability), fraction: fractionText(probability) };
}

/** An outcome as the result lists it. */
export function outcomeRow({ end, weight }: Outcome): OutcomeRow {
  return { ...end, ...exact(weight) };
}

/**
 * Outcomes grouped by kind, and answers by their sorted set of data; most probable first. An end whose
 * cause was not examined counts as that: nobody knows that it is trouble.
 */
export function summarise(outcomes: readonly Outcome[]): readonly SummaryRow[] {
  const groups = new Map<string, { kind: EndKind; answer: readonly string[]; weight: Fraction }>();
  for (const { end, weight } of outcomes) {
    const { kind } = unexamined(end) ?? end;
    const answer = answerData(end);
    const key = [kind, ...answer].join('\n');
    const known = groups.get(key);
    groups.set(key, { kind, answer, weight: known === undefined ? weight : add(known.weight, weight) });
  }
  return [...groups.values()]
    .sort((a, b) => compare(b.weight, a.weight))
    .map(({ kind, answer, weight }) => ({
      ...exact(weight),
      kind,
      ...(kind === 'answer' ? { answer } : {}),
    }));
}

/** The sorted set of an answer's data; empty for other ends. */
export function answerData(end: End): readonly string[] {
  return end.kind === 'answer' ? [...new Set(end.records.map(({ data }) => data))].sort() : [];
}
