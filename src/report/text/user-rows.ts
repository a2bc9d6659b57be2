/* Rows of text that say which users get what, and what first tries end in. */

import { formatDurationMs } from '../../base/duration.ts';
import type { SummaryRow } from '../../document/ends.ts';
import type { ResolverRow } from '../../document/resolvers.ts';
import type { TraversalResult } from '../../document/result.ts';
import { reasonOf } from '../../document/words/end-words.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count, percentages } from '../../document/words/quantities.ts';
import { readFraction } from '../../evaluate/fraction.ts';
import { comparisonOf, type Effect, type EffectOf, effectOfKind } from '../views/effects.ts';
import {
  ABSTRACT_WORDS,
  groupHead,
  lateSharesWords,
  newRows,
  type UserGroup,
  userGroups,
} from '../views/users.ts';
import {
  comparedShares,
  endTerm,
  extendedErrorWords,
  likenessWords,
  POINT,
  resolverAddress,
  saidWords,
  servedBy,
  shareWords,
  type Wording,
} from '../views/wording.ts';
import { type Cell, naturalWidth, type Rows, STYLES } from './table.ts';

/**
 * Which share of users gets what, an answer a row. Where users of some resolvers get something else, or another world is
 * imagined, there is a column for each.
 */
export function userRows(result: TraversalResult, wording: Wording, width: number): Rows {
  const late = lateSharesWords(result, wording.detail === 'full' ? 'all' : 'named');
  const rows = timelyRows(result, wording, width);
  return late === ''
    ? rows
    : [...rows, [{ text: `  ${late} get it only at a second try`, style: 'unknown' }]];
}

function timelyRows(result: TraversalResult, wording: Wording, width: number): Rows {
  const told = toldColumns(result, wording);
  const [only, ...others] = told;
  if (only === undefined) return [];
  if (others.length === 0) return answerRows(only, result, wording);
  const table = comparisonRows('Users get', told, wording);
  return naturalWidth(table) <= width ? table : notedRows(told, wording);
}

/** The columns as they are told: in short, who gets something else comes first. */
export function toldColumns(result: TraversalResult, { detail }: Wording): readonly Column[] {
  const columns = userColumns(result);
  const [first, ...others] = columns;
  const isShort = result.recorded === undefined && detail === 'terse';
  if (first === undefined || others.length === 0 || !isShort) return columns;
  return [...others, { ...first, head: 'others' }].map(inWords);
}

/** Who reads on knows the word "warm". */
function inWords({ head, summary }: Column): Column {
  return { head: head === ABSTRACT_WORDS.warm.head ? 'once the NS records are known' : head, summary };
}

function answerRows({ summary }: Column, result: TraversalResult, wording: Wording): Rows {
  const several = summary.filter((row) => effectOfKind(row.kind) === 'ends-well').length > 1;
  const percents = percentages(summary.map(({ fraction }) => readFraction(fraction)));
  return [
    [{ text: 'Users get', style: 'strong' }],
    ...summary.map((row, at): readonly Cell[] => {
      const effect = effectOfKind(row.kind);
      const isContested = several && effect === 'ends-well' && row.expected === undefined;
      return [
        { text: `  ${rangeWords(row, result) ?? percents[at]}`, align: 'right', style: 'strong' },
        { text: wording.shorten(endTerm(row)), style: STYLES[isContested ? 'differs' : effect] },
        { text: fromWords(row, result), style: 'faint' },
      ];
    }),
  ];
}

/** "11 to 39 %" where one column stands for all, and a share is likely rather than exact. */
export function rangeWords(row: SummaryRow, { users }: TraversalResult): string | undefined {
  const { share } = users.find((one) => endTerm(one) === endTerm(row)) ?? {};
  return share === undefined || share.most - share.least <= POINT ? undefined : shareWords(share);
}

/** "from ns1.example and ns2.example", "from 4 servers", "no usable server for b.example" */
export function fromWords(row: SummaryRow, { users, views }: TraversalResult): string {
  const isFailure = effectOfKind(row.kind) === 'fails';
  const end = isFailure ? views.resolver.outcomes.find(({ kind }) => kind === row.kind) : undefined;
  const reason = end === undefined ? '' : reasonOf(end);
  const texts = servedBy(row, users);
  const servers = texts.length > SERVERS_NAMED ? count(texts.length, 'server') : listed(texts);
  return [reason, servers === '' ? '' : `from ${servers}`].filter((words) => words !== '').join(' ');
}

const SERVERS_NAMED = 3;

/** What some get, as a column of a table. */
interface Column {
  readonly head: string;
  readonly summary: readonly SummaryRow[];
}

/** The groups of users as columns: of the recorded world and of the imagined one, where there is one. */
export function userColumns(result: TraversalResult): readonly Column[] {
  const { recorded } = result;
  const users = userGroups(result);
  if (recorded === undefined) return columnsOf(users, '');
  // Beside two worlds there is room only for the products that the verdict names.
  const told = (groups: readonly UserGroup[]) =>
    groups.filter((group) => group.kinds.length > 0 || newRows(group, groups[0] ?? group).length > 0);
  return [...columnsOf(told(userGroups(recorded)), 'now'), ...columnsOf(told(users), 'then')];
}

function columnsOf(groups: readonly UserGroup[], when: string): readonly Column[] {
  const head = (group: UserGroup) => (groups.length === 1 ? [] : [groupHead(group)]);
  return groups.map((group) => ({
    head: [...(when === '' ? [] : [when]), ...head(group)].join(', '),
    summary: group.summary,
  }));
}

/** The same without columns, where these are too many. */
function notedRows(columns: readonly Column[], { shorten }: Wording): Rows {
  const rows = comparedShares(columns.map(({ summary }) => summary));
  return [
    [{ text: 'Users get', style: 'strong' }],
    ...rows.map(({ term, shares }): readonly Cell[] => [
      { text: `  ${shorten(term)}` },
      { text: columns.map(({ head }, at) => `${head} ${percentages(shares)[at]}`).join('; ') },
    ]),
  ];
}

export function comparisonRows(title: string, columns: readonly Column[], { shorten }: Wording): Rows {
  const rows = comparedShares(columns.map(({ summary }) => summary));
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

/** What resolvers said that were asked the same question, which ends that is, and how long they keep it. */
export function resolverRows(result: TraversalResult, wording: Wording): Rows {
  const { resolvers = [] } = result;
  const { effectOf } = comparisonOf(result.views.resolver.outcomes);
  const rows = resolvers.map((row): readonly Cell[] => [
    { text: `  ${resolverAddress(row.server)}${nameOf(row)}` },
    {
      text: wording.shorten([saidWords(row), ...extendedErrorWords(row.reply.edns)].join(', ')),
      style: STYLES[resolverEffect(row, result, effectOf)],
    },
    { text: [likenessWords(row, result), ...keptFor(row)].filter((words) => words !== '').join('; ') },
  ]);
  return [[{ text: 'Resolvers say', style: 'strong' }], ...rows];
}

function nameOf({ server: { name } }: ResolverRow): string {
  return name === undefined ? '' : ` (${plain(name)})`;
}

function keptFor({ ttl }: ResolverRow): readonly string[] {
  return ttl === null ? [] : [`TTL left ${formatDurationMs(ttl * MS_PER_SECOND)}`];
}

const MS_PER_SECOND = 1_000;

/** What the reply means to its users: what such an end of a path means, if there is one. */
function resolverEffect(
  { says, outcomes }: ResolverRow,
  result: TraversalResult,
  effectOf: EffectOf,
): Effect {
  const [first] = outcomes.flatMap((at) => result.views['first-tries'].outcomes[at] ?? []);
  if (first !== undefined) return effectOf(first);
  switch (says.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
      return 'differs';
    case 'alias-loop':
    case 'error':
    case 'no-resolver':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return 'fails';
  }
}
