/* Rows of text that say which users get what, and what first tries end in. */

import type { OutcomeRow } from '../../document/ends.ts';
import type { View } from '../../document/views.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count, percentages } from '../../document/words/quantities.ts';
import { ABSTRACT_WORDS } from '../../document/words/view-words.ts';
import { readFraction } from '../../evaluate/fraction.ts';
import { contentKey, effectOfKind, ownEffect } from '../views/effects.ts';
import type { ResultView } from '../views/result-view.ts';
import { groupHead, lateSharesWords, newRows, type UserGroup, userGroups } from '../views/users.ts';
import { reasonOf } from '../views/verdict.ts';
import { comparedShares, endTerm, type Wording } from '../views/wording.ts';
import { endRows } from './end-rows.ts';
import { type Cell, naturalWidth, type Rows, STYLES } from './table.ts';

/**
 * Which share of users gets what, an answer a row. Where users of some resolvers get something else, or another world is
 * imagined, there is a column for each.
 */
export function userRows(view: ResultView, width: number): Rows {
  const late = lateSharesWords(view.result, view.wording.detail === 'full' ? 'all' : 'named');
  const rows = timelyRows(view, width);
  return late === ''
    ? rows
    : [...rows, [{ text: `  ${late} get it only at a second try`, style: 'unknown' }]];
}

function timelyRows(view: ResultView, width: number): Rows {
  const { wording } = view;
  const columns = userColumns(view);
  const [only, ...others] = columns;
  if (only === undefined) return [];
  if (others.length === 0) return answerRows(only.view, view);
  const isShort = view.result.recorded === undefined && wording.detail === 'terse';
  // In short, who gets something else comes first.
  const told = isShort ? [...others, { ...only, head: 'others' }].map(inWords) : columns;
  const table = comparisonRows('Users get', told, wording);
  return naturalWidth(table) <= width ? table : notedRows(told, wording);
}

/** Who reads on knows the word "warm". */
function inWords({ head, view }: Column): Column {
  return { head: head === ABSTRACT_WORDS.warm.head ? 'once the NS records are known' : head, view };
}

function answerRows({ summary, outcomes }: View, { effectOf, wording }: ResultView): Rows {
  const percents = percentages(summary.map(({ fraction }) => readFraction(fraction)));
  return [
    [{ text: 'Users get', style: 'strong' }],
    ...summary.map((row, at): readonly Cell[] => {
      const ends = outcomes.filter((end) => contentKey(end) === [row.kind, ...(row.answer ?? [])].join('\n'));
      const [first] = ends;
      return [
        { text: `  ${percents[at]}`, align: 'right', style: 'strong' },
        {
          text: wording.shorten(endTerm(row)),
          style: first === undefined ? 'plain' : STYLES[effectOf(first)],
        },
        { text: fromWords(ends), style: 'faint' },
      ];
    }),
  ];
}

/** "from ns1.example and ns2.example", "from 4 servers", "no usable server for b.example" */
function fromWords(ends: readonly OutcomeRow[]): string {
  const names = [...new Set(ends.flatMap(({ server }) => (server === null ? [] : plain(server.name))))];
  const [first] = ends;
  if (names.length === 0 && first !== undefined) return ownEffect(first) === 'fails' ? reasonOf(first) : '';
  const reason = first !== undefined && ownEffect(first) === 'fails' ? `${reasonOf(first)} ` : '';
  return `${reason}from ${names.length > SERVERS_NAMED ? count(names.length, 'server') : listed(names)}`;
}

const SERVERS_NAMED = 3;

/** What first tries end in, before a resolver tries elsewhere. */
export function firstTryRows({ result, effectOf, wording }: ResultView): Rows {
  const { recorded, views } = result;
  if (recorded !== undefined) {
    const columns = [
      { head: 'now', view: recorded.views['first-tries'] },
      { head: 'then', view: views['first-tries'] },
    ];
    return comparisonRows('First tries', columns, wording);
  }
  return endRows('First tries', views['first-tries'].outcomes, effectOf, wording);
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

/** The same without columns, where these are too many. */
function notedRows(columns: readonly Column[], { shorten }: Wording): Rows {
  const rows = comparedShares(columns.map(({ view }) => view.summary));
  return [
    [{ text: 'Users get', style: 'strong' }],
    ...rows.map(({ term, shares }): readonly Cell[] => [
      { text: `  ${shorten(term)}` },
      { text: columns.map(({ head }, at) => `${head} ${percentages(shares)[at]}`).join('; ') },
    ]),
  ];
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
