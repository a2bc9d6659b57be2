import { printable } from './printable.ts';

/** What a piece of text stands for; colours come from it. */
export type Style = 'plain' | 'strong' | 'faint' | 'good' | 'bad' | 'unknown';

/** A piece of text in a row. */
export interface Cell {
  readonly text: string;
  readonly style?: Style;
  readonly align?: 'right';
}

/** Rows of cells that stand under each other. Empty cells keep their place. */
export type Rows = readonly (readonly Cell[])[];

/** Paints a text that is printable already. */
export type Paint = (text: string, style: Style) => string;

const GAP = 2;

/** In front of what had to go on a line of its own. */
const HANGING = 8;

/** A longer cell pushes what stands behind it aside, in its own row only. */
const LONGEST_ALIGNED = 44;

/**
 * Rows as lines, each with a line end: columns aligned, what does not fit into the width on further
 * lines. Everything is made printable here: nothing of a result reaches a terminal any other way.
 */
export function table(rows: Rows, width: number, paint: Paint): string {
  const safe = rows.map((row) => row.map((cell) => ({ ...cell, text: printable(cell.text) })));
  const widths = columnWidths(safe);
  return safe.map((row) => `${line(row, widths, width, paint)}\n`).join('');
}

/** The last cell of a row makes no column wider unless it is to end where the others do. */
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

function line(row: readonly Cell[], widths: readonly number[], width: number, paint: Paint): string {
  let painted = '';
  let column = 0;
  let left = 0;
  row.forEach(({ text, align, style = 'plain' }, at) => {
    const room = widths[at] ?? 0;
    const free = column === 0 ? 0 : column + GAP;
    const place = Math.max(left + (align === 'right' ? room - text.length : 0), free);
    left += room + GAP;
    if (text === '') return;
    if (place + text.length > width && column > 0) {
      painted += `\n${' '.repeat(HANGING)}`;
      column = HANGING;
      // What follows stands behind it, not under its column.
      left = 0;
    } else {
      painted += ' '.repeat(place - column);
      column = place;
    }
    painted += paint(text, style);
    column += text.length;
  });
  return painted;
}
