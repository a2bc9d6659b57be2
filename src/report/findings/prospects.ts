import type { End } from '../../evaluate/end.ts';
import type { Outcome } from '../../evaluate/evaluate.ts';
import { add, compare, type Fraction, ONE, subtract, ZERO } from '../../evaluate/fraction.ts';
import { answerData } from '../summary.ts';
import type { Evidence } from './evidence.ts';
import { isUnproven, isUntried } from './reached.ts';
import { asked, quoted } from './words.ts';

/** What becomes of the question, in parts that sum to 1. */
export interface Prospects {
  /** Answers by their data, NODATA and NXDOMAIN: what a user can be told. Most probable first. */
  readonly told: readonly Told[];
  /** Cut off by a limit, or behind a family that this host does not reach. */
  readonly unknown: Fraction;
  /** Everything else. */
  readonly failed: Fraction;
}

export interface Told {
  /** "192.0.2.1", "NXDOMAIN", "no A record" */
  readonly words: string;
  readonly weight: Fraction;
  readonly ends: readonly End[];
}

/** Sorts the outcomes of one view. */
export function prospectsOf(evidence: Evidence, outcomes: readonly Outcome[]): Prospects {
  const told = new Map<string, Told>();
  let unknown = ZERO;
  for (const { end, weight } of outcomes) {
    if (isUndecided(evidence, end)) unknown = add(unknown, weight);
    if (!isTold(end)) continue;
    const words = wordsOf(end);
    const key = [end.kind, ...answerData(end)].join('\n');
    const known = told.get(key) ?? { words, weight: ZERO, ends: [] };
    told.set(key, { words, weight: add(known.weight, weight), ends: [...known.ends, end] });
  }
  const sorted = [...told.values()].sort((a, b) => compare(b.weight, a.weight));
  const sum = sorted.reduce((total, { weight }) => add(total, weight), unknown);
  return { told: sorted, unknown, failed: subtract(ONE, sum) };
}

/** Whether the end is something that a user can be told. */
export function isTold({ kind }: End): boolean {
  return kind === 'answer' || kind === 'nodata' || kind === 'nxdomain';
}

function isUndecided(evidence: Evidence, end: End): boolean {
  if (end.kind !== 'servfail') return isUnproven(evidence, end);
  // A resolver that reaches the family may find a usable server there.
  return evidence.panels.some(
    ({ zone, heard }) => zone === end.zone && heard.some((one) => isUntried(evidence, one)),
  );
}

function wordsOf(end: End): string {
  if (end.kind === 'answer') return quoted(answerData(end));
  return end.kind === 'nxdomain' ? 'NXDOMAIN' : `NODATA for ${asked(end.question)}`;
}
