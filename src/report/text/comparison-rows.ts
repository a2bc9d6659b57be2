import type { View } from '../../document/views.ts';
import { comparedShares } from '../../reading/compared-shares.ts';
import type { Wording } from '../../reading/wording.ts';
import { percentages } from '../../reading/words/percent.ts';
import { type Cell, LONGEST_ALIGNED, type Rows } from '../table/table.ts';

/** A view to be compared, and what its column is called. */
interface Column {
  readonly head: string;
  readonly view: Pick<View, 'summary'>;
}

/** The shares of views side by side, a row for each thing that users get. Every second view is what others became. */
export function comparisonRows(title: string, columns: readonly Column[], { shorten }: Wording): Rows {
  const rows = comparedShares(columns.map(({ view }) => view.summary));
  const percents = percentages(columns.flatMap((_, at) => rows.flatMap(({ shares }) => shares[at] ?? [])));
  const cellsOf = (row: number): readonly Cell[] =>
    columns.map((_, column) => ({
      text: percents[column * rows.length + row] ?? '',
      align: 'right',
      style: column % 2 === 1 ? 'strong' : 'plain',
    }));
  const heading: Cell = { text: title, style: 'strong' };
  const heads = columns.map(({ head }): Cell => ({ text: head, align: 'right', style: 'faint' }));
  // Beside a long title the heads would not stand above their columns.
  const isAside = title.length > LONGEST_ALIGNED;
  return [
    ...(isAside ? [[heading], [{ text: '' }, ...heads]] : [[heading, ...heads]]),
    ...rows.map(({ term }, row): readonly Cell[] => [{ text: `  ${shorten(term)}` }, ...cellsOf(row)]),
  ];
}
