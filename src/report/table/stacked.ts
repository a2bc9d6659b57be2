import type { Cell, Rows } from './table.ts';

/** How much further in a cell stands than the first cell of its row, which is above it. */
const INDENT = 2;

/** The same rows for a narrow terminal: what stood beside a first cell of several stands below it. */
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

/** Where nothing stands under the first columns, what follows begins there. */
function indented(cells: readonly Cell[], indent: number): readonly Cell[] {
  const isFilled = ({ text }: Cell) => text !== '';
  const [first, ...rest] = cells.slice(cells.findIndex(isFilled), cells.findLastIndex(isFilled) + 1);
  return first === undefined ? [] : [{ ...first, text: ' '.repeat(indent) + first.text }, ...rest];
}
