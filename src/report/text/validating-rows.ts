import type { TraversalResult } from '../../document/result.ts';
import { bearingOf } from '../../reading/bearing.ts';
import { readingsAgree, validatedShares } from '../../reading/validated/validated-shares.ts';
import { validatingDifference } from '../../reading/validated/validating-difference.ts';
import type { Wording } from '../../reading/wording.ts';
import { percentages } from '../../reading/words/percent.ts';
import { STYLES } from '../table/styles.ts';
import type { Cell, Rows } from '../table/table.ts';

/** What validating resolvers' users get and why, a column for each reading, where others get something else. */
export function validatingRows(result: TraversalResult, { shorten, detail }: Wording): Rows {
  const { validating } = result;
  if (validating === undefined || (detail === 'terse' && validatingDifference(result) !== 'differs'))
    return [];
  const shares = validatedShares(validating, shorten);
  const tryingOn = shares.map((share) => share.tryingOn);
  const firstTry = shares.map((share) => share.firstTry);
  const columns = readingsAgree(shares) ? [tryingOn] : [tryingOn, firstTry];
  const percents = percentages(columns.flat());
  const cellsOf = (row: number) =>
    columns.map(
      (_, column): Cell => ({
        text: percents[column * shares.length + row] ?? '',
        align: 'right',
        style: 'strong',
      }),
    );
  return [
    [{ text: 'Validating resolvers get', style: 'strong' }],
    ...(columns.length === 1 ? [] : [HEADS]),
    ...shares.map(({ words, end }, row): readonly Cell[] => [
      ...cellsOf(row),
      { text: words, style: STYLES[bearingOf(end)] },
    ]),
  ];
}

const HEADS: readonly Cell[] = ['retrying', 'first reply'].map((text) => ({
  text,
  align: 'right',
  style: 'faint',
}));
