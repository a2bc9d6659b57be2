import type { SummaryRow } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import { readFraction } from '../../evaluate/fraction.ts';
import { warmthOf } from '../../reading/cold-and-warm.ts';
import { resolverAddress, saidWords } from '../../reading/resolver-words.ts';
import { endTerm } from '../../reading/summary-line.ts';
import { percentages } from '../../reading/words/percent.ts';
import { printable } from '../../reading/words/printable.ts';

/**
 * A result as its answers, each on a line with its share of the paths, most probable first; then, where
 * they differ, those of the warm paths, marked as such; then what resolvers said. Safe to print.
 */
export function shortText(result: TraversalResult): string {
  const { summary, warm, resolvers = [] } = result;
  const later = warm === undefined || warmthOf(result).kind !== 'differs' ? [] : warm.summary;
  return [
    ...linesOf(summary),
    ...linesOf(later).map((line) => `${line}  warm`),
    ...resolvers.map((row) => `@${resolverAddress(row.server)}  ${printable(saidWords(row))}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function linesOf(summary: readonly SummaryRow[]): readonly string[] {
  const shares = percentages(summary.map(({ fraction }) => readFraction(fraction)));
  const width = Math.max(0, ...shares.map((share) => share.length));
  return summary.map((row, at) => `${(shares[at] ?? '').padStart(width)}  ${printable(endTerm(row))}`);
}
