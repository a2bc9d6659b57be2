import { answerData } from '../document/summary.ts';
import { type End, isUnknown } from '../evaluate/end.ts';
import type { Outcome } from '../evaluate/evaluate.ts';
import { compare, type Fraction } from '../evaluate/fraction.ts';
import { asFraction, sum } from '../evaluate/weight.ts';
import { asked, quoted } from '../reading/names.ts';
import type { Evidence } from './evidence.ts';

/** What becomes of the question in the resolver view, in parts that sum to 1. */
export interface Prospects {
  /** Answers by their data, NODATA and NXDOMAIN: what a user can be told. Most probable first. */
  readonly told: readonly Told[];
  /** Cut off by a limit, or behind a family that this host does not reach. */
  readonly unknown: readonly Outcome[];
  /** Everything else. */
  readonly failed: readonly Outcome[];
}

/** What a lookup can come to, in words, with its weight and the outcomes that it stands for. */
export interface Told {
  /** "192.0.2.1", "NXDOMAIN", "NODATA for www.example A" */
  readonly words: string;
  readonly weight: Fraction;
  readonly outcomes: readonly Outcome[];
}

/** Sorts the outcomes of the resolver view. */
export function prospectsOf({ evaluation, openZones }: Evidence): Prospects {
  const told = new Map<string, Outcome[]>();
  const unknown: Outcome[] = [];
  const failed: Outcome[] = [];
  for (const outcome of evaluation.resolverOutcomes) {
    const { end } = outcome;
    if (isTold(end)) {
      const key = [end.kind, ...answerData(end)].join('\n');
      const known = told.get(key);
      if (known === undefined) told.set(key, [outcome]);
      else known.push(outcome);
      // Where not all ways into a zone were tried, some resolver may find a usable server.
    } else if (isUnknown(end) || openZones.has(end.zone)) unknown.push(outcome);
    else failed.push(outcome);
  }
  return { told: [...told.values()].flatMap(toldBy).sort(byWeight), unknown, failed };
}

/** The exact probability of all of them together. */
export function total(outcomes: readonly Outcome[]): Fraction {
  const weights = outcomes.map(({ weight }) => ({ parts: weight.numerator, whole: weight.denominator }));
  return asFraction(sum(weights));
}

function isTold({ kind }: End): boolean {
  return kind === 'answer' || kind === 'nodata' || kind === 'nxdomain';
}

function toldBy(outcomes: readonly Outcome[]): readonly Told[] {
  const [first] = outcomes;
  return first === undefined ? [] : [{ words: wordsOf(first.end), weight: total(outcomes), outcomes }];
}

function byWeight(a: Told, b: Told): number {
  return compare(b.weight, a.weight);
}

function wordsOf(end: End): string {
  if (end.kind === 'answer') return quoted(answerData(end));
  return end.kind === 'nxdomain' ? 'NXDOMAIN' : `NODATA for ${asked(end.question)}`;
}
