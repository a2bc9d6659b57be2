import type { TraversalResult } from '../../document/result.ts';
import { readFraction } from '../../evaluate/fraction.ts';
import { endTerm } from '../../reading/summary-line.ts';
import { percentages } from '../../reading/words/percent.ts';
import { printable } from '../../reading/words/printable.ts';

/** A result as its answers, each on a line with its share of the paths, most probable first. Safe to print. */
export function shortText({ summary }: TraversalResult): string {
  const shares = percentages(summary.map(({ fraction }) => readFraction(fraction)));
  const width = Math.max(0, ...shares.map((share) => share.length));
  return summary
    .map((row, at) => `${(shares[at] ?? '').padStart(width)}  ${printable(endTerm(row))}\n`)
    .join('');
}
