import type { Cell, Rows } from './table.ts';

/** In front of what stands below the first cell of its row. */
const INDENT = '    ';

/** The same rows for a narrow terminal: what stood beside a first cell of several stands below it. */
export function stacked(rows: Rows): Rows {
  return rows.flatMap((row) => {
    const [first, second, ...rest] = row;
    if (first === undefined || second === undefined || rest.length === 0) return [row];
    const below: readonly Cell[] = [
      { ...second, text: second.text === '' ? '' : INDENT + second.text },
      ...rest,
    ];
    return first.text === '' ? [below] : [[first], below];
  });
}
