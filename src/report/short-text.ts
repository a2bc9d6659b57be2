import type { SummaryRow } from '../document/ends.ts';
import type { TraversalResult } from '../document/result.ts';
import { everyView, viewsOf } from '../document/views.ts';
import { firstOfEach, listed } from '../document/words/lists.ts';
import { percentages } from '../document/words/quantities.ts';
import { printable } from '../document/words/shortened.ts';
import { readFraction } from '../evaluate/fraction.ts';
import type { ViewKind } from '../evaluate/views.ts';
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
  const { resolvers = [] } = result;
  const only = resolvers.length === 0 ? onlyAnswer(result) : undefined;
  if (only !== undefined) return only.map((data) => `${printable(data)}\n`).join('');
  return [
    ...viewsOf(result).flatMap(({ row, view }) => linesFor(SHOWN[row.kind], view.summary, result)),
    ...userGroups(result)
      .filter(({ kinds, view }) => kinds.length === 0 && newRows(view, result.views.resolver).length > 0)
      .flatMap(({ view, products }) => linesOf(view.summary).map((line) => `${line}  ${listed(products)}`)),
    ...resolvers.map((row) => `@${resolverAddress(row.server)}  ${printable(saidWords(row))}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** How lines of a view are marked, and whether they are printed. */
interface ShownLines {
  readonly mark: string;
  readonly when: (result: TraversalResult) => boolean;
}

/** Of products it is printed what no other users get. */
const SHOWN: Readonly<Record<ViewKind, ShownLines | undefined>> = {
  'first-tries': { mark: '', when: () => true },
  resolver: undefined,
  'first-tries/warm': { mark: '  warm', when: warmDiffers },
  warm: undefined,
  validating: { mark: '  validating', when: validatingDiffers },
  product: undefined,
  'product/warm': undefined,
};

function linesFor(
  shown: ShownLines | undefined,
  summary: readonly SummaryRow[],
  result: TraversalResult,
): readonly string[] {
  if (shown === undefined || !shown.when(result)) return [];
  return linesOf(summary).map((line) => `${line}${shown.mark}`);
}

/** The data of the answer that every path of every view gets; undefined if there is none. */
function onlyAnswer(result: TraversalResult): readonly string[] | undefined {
  const rows = everyView(result).flatMap(({ summary }) => summary);
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
