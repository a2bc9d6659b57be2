import type { TraversalResult } from '../../document/result.ts';
import { type Bearing, MARKS } from '../../reading/bearing.ts';
import { culpritWords, verdictOn } from '../../reading/verdict.ts';
import { printable } from '../../reading/words/printable.ts';
import { painter } from '../table/paint.ts';
import { STYLES } from '../table/styles.ts';
import { table } from '../table/table.ts';

/** How the rows of many names look. */
export interface NameRowLook {
  readonly colour: 'on' | 'off';
  /** Columns that a line may take. */
  readonly width: number;
}

/** One of many names as a row: a mark, the question, and the verdict with the servers at fault. Safe to print. */
export function nameRow(result: TraversalResult, { colour, width }: NameRowLook): string {
  const { name, type } = result.query;
  const { words, bearing } = verdictOn(result);
  const question = printable(`${name} ${type}`).padEnd(QUESTION_COLUMNS);
  const row = [
    { text: markFor(bearing), style: STYLES[bearing] },
    { text: question },
    { text: words, style: STYLES[bearing] },
    { text: culpritWords(result) },
  ];
  return table([row], width, painter(colour));
}

/** Rows are written as names are done, so no row knows how long the names of others are. */
const QUESTION_COLUMNS = 30;

function markFor(bearing: Bearing): string {
  return MARKS[bearing] || '✓';
}
