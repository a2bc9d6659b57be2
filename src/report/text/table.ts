/* Lays out rows of cells as lines of text, with colours and marks. */

import pc from 'picocolors';
import { asciiName } from '../../dns/idn.ts';
import { printable, wrapped } from '../../document/words/shortened.ts';
import type { Effect } from '../views/effects.ts';

/**
 * Rows as lines, each with a line end: columns are aligned, and what does not fit the width goes on
 * further lines. Everything is made printable here; no part of a result reaches a terminal any other way.
 */
export function table(rows: Rows, width: number, paint: Paint): string {
  const safe = rows.map((row) => row.map((cell) => ({ ...cell, text: printable(cell.text) })));
  const widths = columnWidths(safe);
  return safe.map((row) => `${line(placed(row, widths), width, paint)}\n`).join('');
}

/** What a piece of text stands for; colours come from it. */
export type Style = 'plain' | 'strong' | 'faint' | 'good' | 'bad' | 'unknown';

/** A piece of text in a row. */
export interface Cell {
  readonly text: string;
  readonly style?: Style;
  readonly align?: 'right';
}

/** Rows of cells that stand under each other. Empty cells keep their place; empty columns take none. */
export type Rows = readonly (readonly Cell[])[];

/** Paints a text that is printable already. */
export type Paint = (text: string, style: Style) => string;

const GAP = 2;

/** The indent of a cell that needs a line of its own. */
const HANGING = 8;

/** The least room in which a broken cell still starts under its column. */
const ROOMY = 40;

/** How blocks of rows look. */
interface BlocksLook {
  readonly colour: 'on' | 'off';
  readonly marks?: Marks;
  readonly width: number;
}

/** Blocks of rows as text, an empty line between two; a block without rows is left out. */
export function blocksText(blocks: readonly Rows[], { width, colour, marks }: BlocksLook): string {
  const paint = painter(colour, marks);
  return blocks
    .filter((rows) => rows.length > 0)
    .map((rows) => table(rows, width, paint))
    .join('\n');
}

/** Rows as they are if they fit the width, else stacked. */
export function fitted(rows: Rows, width: number): Rows {
  return naturalWidth(rows) <= width ? rows : stacked(rows);
}

/** The same where the last cells, which need no column, may stand below their rows. */
export function tailed(rows: Rows, width: number): Rows {
  return naturalWidth(rows.map((row) => row.slice(0, -1))) <= width ? rows : stacked(rows);
}

/** The width of the longest row if none is broken. */
export function naturalWidth(rows: Rows): number {
  const widths = columnWidths(rows);
  return Math.max(
    0,
    ...rows.flatMap((row) => placed(row, widths).map(({ cell, at }) => at + cell.text.length)),
  );
}

/** The last cell of a row does not widen its column unless it is aligned to the right. */
function columnWidths(rows: Rows): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach(({ text, align }, at) => {
      const counts = align === 'right' || (at < row.length - 1 && text.length <= LONGEST_ALIGNED);
      widths[at] = Math.max(widths[at] ?? 0, counts ? text.length : 0);
    });
  }
  return widths;
}

/** A cell and the column at which it begins. */
interface Placed {
  readonly cell: Cell;
  readonly at: number;
}

/** The cells of a row that are not empty, each under its column or after what pushes it aside. */
function placed(row: readonly Cell[], widths: readonly number[]): readonly Placed[] {
  const cells: Placed[] = [];
  let free = 0;
  let left = 0;
  row.forEach((cell, column) => {
    const room = widths[column] ?? 0;
    const at = Math.max(left + (cell.align === 'right' ? room - cell.text.length : 0), free);
    if (room > 0) left += room + GAP;
    const text = cell.text.trimStart();
    if (text === '') return;
    cells.push({ cell: { ...cell, text }, at: at + cell.text.length - text.length });
    free = at + cell.text.length + GAP;
  });
  return cells;
}

function line(cells: readonly Placed[], width: number, paint: Paint): string {
  let painted = '';
  let column = 0;
  // What follows a broken cell goes right after it, not under its column.
  let isAside = false;
  for (const { cell, at } of cells) {
    const { text, style = 'plain' } = cell;
    const place: number = isAside ? column + GAP : at;
    const indent = column === 0 || isBetterInPlace(text, place, width) ? place : HANGING;
    const parts = place + text.length <= width ? [text] : wrapped(text, width - indent);
    const fitsHere = parts.length === 1 ? place + (parts[0] ?? '').length <= width : indent === place;
    painted += fitsHere ? ' '.repeat(place - column) : newLine(indent);
    painted += parts.map((part) => paint(part, style)).join(newLine(indent));
    column = (fitsHere && parts.length === 1 ? place : indent) + (parts.at(-1) ?? '').length;
    isAside ||= !fitsHere || parts.length > 1;
  }
  return painted;
}

/** Whether a text needs several lines anyway and has enough room for them where it begins. */
function isBetterInPlace(text: string, place: number, width: number): boolean {
  return text.length > width - HANGING && width - place >= ROOMY;
}

function newLine(indent: number): string {
  return `\n${' '.repeat(indent)}`;
}

/** How far a cell is indented below the first cell of its row. */
const INDENT = 2;

/** The same rows for a narrow terminal: the other cells of a row go below its first cell. */
export function stacked(rows: Rows): Rows {
  let above = 0;
  return rows.flatMap((row) => {
    const [first, ...rest] = row;
    if (first === undefined || rest.length < 2) return [row];
    if (first.text !== '') above = first.text.length - first.text.trimStart().length;
    const below = indented(rest, above + INDENT);
    // Aligned, it would stand where the longest text below ends.
    const { align: _, ...head } = first;
    return first.text === '' ? [below] : [[head], below];
  });
}

/** Where the first columns are empty, the cells that follow begin there. */
function indented(cells: readonly Cell[], indent: number): readonly Cell[] {
  const isFilled = ({ text }: Cell) => text !== '';
  const [first, ...rest] = cells.slice(cells.findIndex(isFilled), cells.findLastIndex(isFilled) + 1);
  return first === undefined ? [] : [{ ...first, text: ' '.repeat(indent) + first.text }, ...rest];
}

/** How texts are styled by what they mean to users. */
export const STYLES: Readonly<Record<Effect | 'late', Style>> = {
  'leads-on': 'plain',
  'ends-well': 'good',
  differs: 'unknown',
  denies: 'unknown',
  fails: 'bad',
  unknown: 'unknown',
  late: 'unknown',
};

/** The letters that marks are written in: `ascii` for a locale without UTF-8. */
export type Marks = 'unicode' | 'ascii';

/** The marks in ASCII, each of one column. */
const ASCII: Readonly<Record<string, string>> = {
  '≠': '#',
  '✗': 'x',
  '✓': '+',
  '▲': '!',
  '×': 'x',
  '…': '~',
};

function asciiOf(text: string): string {
  const marked = Array.from(text, (character) => ASCII[character] ?? character).join('');
  return marked.replace(/[^\s(),:;]*[^\p{ASCII}][^\s(),:;]*/gu, asciiName);
}

/** Paints with a terminal's sixteen colours, or not at all. */
export function painter(colour: 'on' | 'off', marks: Marks = 'unicode'): Paint {
  const { bold, dim, green, red, yellow } = pc.createColors(colour === 'on');
  const brushes = {
    plain: (text: string) => text,
    strong: bold,
    faint: dim,
    good: green,
    bad: red,
    unknown: yellow,
  };
  return (text, style) => brushes[style](marks === 'ascii' ? asciiOf(text) : text);
}

/** A longer cell does not widen its column: it pushes the next cells of its row aside. */
export const LONGEST_ALIGNED = 44;

/** Rows below a title; nothing without rows. */
export function headed(title: string, rows: Rows): Rows {
  return rows.length === 0 ? [] : [[{ text: title, style: 'strong' }], ...rows];
}
