import type { SummaryRow } from '../document/ends.ts';
import type { TraversalResult } from '../document/result.ts';
import { viewsOf } from '../document/views.ts';
import { firstOfEach, listed } from '../document/words/lists.ts';
import { percentages } from '../document/words/quantities.ts';
import { printable } from '../document/words/shortened.ts';
import { readFraction } from '../evaluate/fraction.ts';
import { type Marks, painter, STYLES, table } from './text/table.ts';
import { MARKS } from './views/effects.ts';
import { notCheckedWords } from './views/not-checked.ts';
import { newRows, userGroups, validatingDiffers, warmDiffers } from './views/users.ts';
import { verdictLine, verdictOn } from './views/verdict.ts';
import { endTerm, resolverAddress, saidWords } from './views/wording.ts';

/**
 * A result as its answers. Where all views have one answer and no resolver was asked: its data, a record a line, as
 * `dig +short`. Else each answer on a line with its share of the paths, most probable first; then, where
 * they differ, those of the warm paths and of validating resolvers, marked as such; then what resolvers
 * said. Safe to print.
 */
export function shortText(result: TraversalResult): string {
  const { summary, warm, validating, resolvers = [] } = result;
  const only = resolvers.length === 0 ? onlyAnswer(result) : undefined;
  if (only !== undefined) return only.map((data) => `${printable(data)}\n`).join('');
  const later = warm === undefined || !warmDiffers(result) ? [] : warm.summary;
  const proven = validating === undefined || !validatingDiffers(result) ? [] : validating.summary;
  return [
    ...linesOf(summary),
    ...linesOf(later).map((line) => `${line}  warm`),
    ...linesOf(proven).map((line) => `${line}  validating`),
    ...userGroups(result)
      .filter(({ kinds, view }) => kinds.length === 0 && newRows(view, result.resolver).length > 0)
      .flatMap(({ view, products }) => linesOf(view.summary).map((line) => `${line}  ${listed(products)}`)),
    ...resolvers.map((row) => `@${resolverAddress(row.server)}  ${printable(saidWords(row))}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** The data of the answer that every path of every view gets; undefined if there is none. */
function onlyAnswer(result: TraversalResult): readonly string[] | undefined {
  const rows = viewsOf(result).flatMap(({ summary }) => summary);
  const [first, ...others] = firstOfEach(rows, ({ kind, answer = [] }) => [kind, ...answer].join('\n'));
  return others.length === 0 ? first?.answer : undefined;
}

function linesOf(summary: readonly SummaryRow[]): readonly string[] {
  const shares = percentages(summary.map(({ fraction }) => readFraction(fraction)));
  const width = Math.max(0, ...shares.map((share) => share.length));
  return summary.map((row, at) => `${(shares[at] ?? '').padStart(width)}  ${printable(endTerm(row))}`);
}

/** How the rows of many names look. */
export interface NameRowLook {
  readonly colour: 'on' | 'off';
  readonly marks?: Marks;
  /** Columns that a line may take. */
  readonly width: number;
}

/** One of many names as a row: a mark, the question, and the verdict. Safe to print. */
export function nameRow(result: TraversalResult, { colour, marks, width }: NameRowLook): string {
  const { name, type } = result.query;
  const verdict = verdictOn(result);
  const style = STYLES[verdict.effect];
  // With many names nobody asks again where servers agree, so that would stand in each row.
  const missing = notCheckedWords(result.notChecked?.filter(({ view }) => view !== 'rotation'));
  const question = printable(`${name} ${type}`).padEnd(QUESTION_COLUMNS);
  const row = [
    { text: MARKS[verdict.effect] || '✓', style },
    { text: question },
    { text: `${verdictLine(verdict)}${missing === '' ? '' : `; not checked: ${missing}`}`, style },
  ];
  return table([row], width, painter(colour, marks));
}

/** Rows are written as names are done, so no row knows how long the names of others are. */
const QUESTION_COLUMNS = 30;
