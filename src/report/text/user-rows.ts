/* Rows of text that say which users get what, and what first tries end in. */

import type { View } from '../../document/views.ts';
import { percentages } from '../../document/words/quantities.ts';
import { effectOfKind } from '../views/effects.ts';
import type { ResultView } from '../views/result-view.ts';
import { groupHead, newRows, type UserGroup, userGroups, viewKey } from '../views/users.ts';
import { comparedShares, type Wording } from '../views/wording.ts';
import { endRows } from './end-rows.ts';
import { type Cell, type Rows, STYLES } from './table.ts';

/**
 * Which share of users gets what, and from which servers. Where users of some resolvers get something else, or another
 * world is imagined, there is a column for each.
 */
export function userRows(view: ResultView): Rows {
  const { effectOf, wording } = view;
  const columns = userColumns(view);
  const [only, ...others] = columns;
  if (only === undefined) return [];
  return others.length === 0
    ? endRows('Users get', only.view.outcomes, effectOf, wording)
    : comparisonRows('Users get', columns, wording);
}

/** The ends of the path view; none where users of cold resolvers get the same, equally often. */
export function firstTryRows({ result, effectOf, wording }: ResultView): Rows {
  const { views, recorded } = result;
  const { 'first-tries': paths, resolver } = views;
  if (recorded !== undefined) {
    const columns = [
      { head: 'now', view: recorded.views['first-tries'] },
      { head: 'then', view: paths },
    ];
    return comparisonRows('First tries end in', columns, wording);
  }
  const alike = viewKey(paths) === viewKey(resolver);
  return alike && wording.detail === 'terse'
    ? []
    : endRows('First tries end in', paths.outcomes, effectOf, wording);
}

/** A view as a column of a table. */
interface Column {
  readonly head: string;
  readonly view: View;
}

/** The groups of users as columns: of the recorded world and of the imagined one, where there is one. */
export function userColumns({ result, users }: ResultView): readonly Column[] {
  const { recorded } = result;
  if (recorded === undefined) return columnsOf(users, '');
  // Beside two worlds there is room only for the products that the verdict names.
  const told = (groups: readonly UserGroup[], cold: View) =>
    groups.filter(({ kinds, view }) => kinds.length > 0 || newRows(view, cold).length > 0);
  return [
    ...columnsOf(told(userGroups(recorded), recorded.views.resolver), 'now'),
    ...columnsOf(told(users, result.views.resolver), 'then'),
  ];
}

function columnsOf(groups: readonly UserGroup[], when: string): readonly Column[] {
  const head = (group: UserGroup) => (groups.length === 1 ? [] : [groupHead(group)]);
  return groups.map((group) => ({
    head: [...(when === '' ? [] : [when]), ...head(group)].join(', '),
    view: group.view,
  }));
}

function comparisonRows(title: string, columns: readonly Column[], { shorten }: Wording): Rows {
  const rows = comparedShares(columns.map(({ view }) => view.summary));
  const percents = percentages(rows.flatMap(({ shares }) => shares));
  return [
    [
      { text: title, style: 'strong' },
      ...columns.map(({ head }): Cell => ({ text: head, align: 'right', style: 'faint' })),
    ],
    ...rows.map(({ term, kind }, row): readonly Cell[] => [
      {
        text: `  ${shorten(term)}`,
        style: effectOfKind(kind) === 'ends-well' ? 'plain' : STYLES[effectOfKind(kind)],
      },
      ...columns.map(
        (_, at): Cell => ({
          text: percents[row * columns.length + at] ?? '',
          align: 'right',
          style: 'strong',
        }),
      ),
    ]),
  ];
}
