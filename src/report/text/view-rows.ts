/* Rows of text that compare the shares of several views. */

import type { TraversalResult, ValidatingRow } from '../../document/result.ts';
import type { View } from '../../document/views.ts';
import { percentages } from '../../document/words/quantities.ts';
import { ownEffect } from '../views/effects.ts';
import {
  readingsAgree,
  validatedShares,
  validatingDifference,
  warmthOf,
} from '../views/warm-and-validating.ts';
import { comparedShares, type Wording, whatIfWords } from '../views/wording.ts';
import { type Cell, LONGEST_ALIGNED, type Rows, STYLES } from './table.ts';

/** What is imagined, and the shares before and after. All else that a text says of paths is said of that world. */
export function whatIfRows(result: TraversalResult, wording: Wording): Rows {
  const { whatIf, recorded, resolver, validating } = result;
  if (whatIf === undefined) return [];
  const title = `If ${whatIfWords(whatIf)}`;
  if (recorded === undefined) return [[{ text: title, style: 'strong' }]];
  const columns = [
    { head: 'first tries: now', view: recorded },
    { head: 'then', view: result },
    { head: 'resolvers: now', view: recorded.resolver },
    { head: 'then', view: resolver },
  ];
  return [
    ...comparisonRows(title, columns, wording),
    ...whatIfValidatingRows(recorded.validating, validating, wording),
  ];
}

function whatIfValidatingRows(
  now: ValidatingRow | undefined,
  then: ValidatingRow | undefined,
  wording: Wording,
): Rows {
  if (now === undefined || then === undefined) return [];
  const columns = [
    { head: 'retrying: now', view: now },
    { head: 'then', view: then },
    { head: 'first reply: now', view: now.firstTry },
    { head: 'then', view: then.firstTry },
  ];
  return comparisonRows('Validating resolvers get', columns, wording);
}

/** The shares of the cold and the warm views side by side, where they differ. */
export function warmRows(result: TraversalResult, wording: Wording): Rows {
  const { warm, resolver } = result;
  if (warm === undefined || warmthOf(result).kind !== 'differs') return [];
  const columns = [
    { head: 'paths: cold', view: result },
    { head: 'warm', view: warm },
    { head: 'resolvers: cold', view: resolver },
    { head: 'warm', view: warm.resolver },
  ];
  return comparisonRows("With the zones' own name servers (warm)", columns, wording);
}

/** A view to be compared, and what its column is called. */
interface Column {
  readonly head: string;
  readonly view: Pick<View, 'summary'>;
}

/** The shares of views side by side, a row for each thing that users get. Every second view is what others became. */
function comparisonRows(title: string, columns: readonly Column[], { shorten }: Wording): Rows {
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
      { text: words, style: STYLES[ownEffect(end)] },
    ]),
  ];
}

const HEADS: readonly Cell[] = ['retrying', 'first reply'].map((text) => ({
  text,
  align: 'right',
  style: 'faint',
}));
