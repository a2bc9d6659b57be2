import type { SummaryRow } from '../../document/ends.ts';
import type { TraversalResult, ValidatingRow } from '../../document/result.ts';
import { readFraction } from '../../evaluate/fraction.ts';
import { warmthOf } from '../../reading/cold-and-warm.ts';
import { resolverAddress, saidWords } from '../../reading/resolver-words.ts';
import { endTerm } from '../../reading/summary-line.ts';
import { validatingDifference } from '../../reading/validated/validating-difference.ts';
import { percentages } from '../../reading/words/percent.ts';
import { printable } from '../../reading/words/printable.ts';

/**
 * A result as its answers, each on a line with its share of the paths, most probable first; then, where
 * they differ, those of the warm paths and of validating resolvers, marked as such; then what resolvers
 * said. Safe to print.
 */
export function shortText(result: TraversalResult): string {
  const { summary, warm, validating, resolvers = [] } = result;
  const later = warm === undefined || warmthOf(result).kind !== 'differs' ? [] : warm.summary;
  return [
    ...linesOf(summary),
    ...linesOf(later).map((line) => `${line}  warm`),
    ...(validating === undefined || validatingDifference(result) !== 'differs'
      ? []
      : validatingLines(validating)),
    ...resolvers.map((row) => `@${resolverAddress(row.server)}  ${printable(saidWords(row))}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function validatingLines({ summary, firstTry }: ValidatingRow): readonly string[] {
  return [
    ...linesOf(summary).map((line) => `${line}  validating`),
    ...linesOf(firstTry.summary).map((line) => `${line}  validating, first reply`),
  ];
}

function linesOf(summary: readonly SummaryRow[]): readonly string[] {
  const shares = percentages(summary.map(({ fraction }) => readFraction(fraction)));
  const width = Math.max(0, ...shares.map((share) => share.length));
  return summary.map((row, at) => `${(shares[at] ?? '').padStart(width)}  ${printable(endTerm(row))}`);
}
