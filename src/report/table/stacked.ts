import type { Cell, Rows } from './table.ts';

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
    return first.text === '' ? [below] : [[first], below];
  });
}

/** Where the first columns are empty, the cells that follow begin there. */
function indented(cells: readonly Cell[], indent: number): readonly Cell[] {
  const isFilled = ({ text }: Cell) => text !== '';
  const [first, ...rest] = cells.slice(cells.findIndex(isFilled), cells.findLastIndex(isFilled) + 1);
  return first === undefined ? [] : [{ ...first, text: ' '.repeat(indent) + first.text }, ...rest];
}
