import type { TraversalResult } from '../../document/result.ts';
import { comparedShares, warmthOf } from '../../reading/cold-and-warm.ts';
import type { Wording } from '../../reading/wording.ts';
import { percentages } from '../../reading/words/percent.ts';
import type { Cell, Rows } from '../table/table.ts';

/** The shares of the cold and the warm views side by side, where they differ. */
export function warmRows(result: TraversalResult, { shorten }: Wording): Rows {
  if (warmthOf(result).kind !== 'differs') return [];
  const shares = comparedShares(result);
  const columns = [
    shares.map(({ paths }) => paths),
    shares.map(({ pathsWarm }) => pathsWarm),
    shares.map(({ resolvers }) => resolvers),
    shares.map(({ resolversWarm }) => resolversWarm),
  ];
  const percents = percentages(columns.flat());
  const cellsOf = (row: number): readonly Cell[] =>
    columns.map((_, column) => ({
      text: percents[column * shares.length + row] ?? '',
      align: 'right',
      style: column % 2 === 1 ? 'strong' : 'plain',
    }));
  const heads = ['paths: cold', 'warm', 'resolvers: cold', 'warm'];
  return [
    [
      { text: "With the zones' own name servers (warm)", style: 'strong' },
      ...heads.map((text): Cell => ({ text, align: 'right', style: 'faint' })),
    ],
    ...shares.map(({ term }, row): readonly Cell[] => [{ text: `  ${shorten(term)}` }, ...cellsOf(row)]),
  ];
}
