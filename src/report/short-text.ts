import type { TraversalResult } from '../document/result.ts';
import { titleName } from '../document/words/names.ts';
import { percentage } from '../document/words/quantities.ts';
import { printable } from '../document/words/shortened.ts';
import { readFraction } from '../evaluate/fraction.ts';
import { type Marks, painter, STYLES, table } from './text/table.ts';
import { isUnheard, MARKS, STATUS_EFFECT } from './views/effects.ts';
import { userGroups, usersIn } from './views/users.ts';
import { ONCE_WARM } from './views/verdict.ts';
import { endTerm, notCheckedWords, resolverAddress, saidWords, shareWords } from './views/wording.ts';

/**
 * A result as what users get. If all get the same and no resolver was asked: its data, a record a line, as `dig +short`. Else
 * the share of users and the answer, a row each, with who alone gets it where these are not users of cold resolvers, and
 * what resolvers said. Safe to print.
 */
export function shortText(result: TraversalResult): string {
  const { verdict, resolvers = [] } = result;
  if (isUnheard(result)) return `${verdict.text}\n`;
  const users = result.users.filter(({ share }) => share.most > 0);
  const [only, ...others] = users;
  const apart = rowsApart(result);
  if (only?.answer !== undefined && others.length + apart.length + resolvers.length === 0)
    return only.answer.map((data) => `${printable(data)}\n`).join('');
  const rows = [
    ...users.map((row) => ({ share: shareWords(row.share), term: endTerm(row), who: '' })),
    ...apart,
  ];
  const width = Math.max(0, ...rows.map(({ share }) => share.length));
  return [
    ...rows.map(({ share, term, who }) => `${share.padStart(width)}  ${printable(term)}${who && `  ${who}`}`),
    ...resolvers.map((row) => `@${resolverAddress(row.server)}  ${printable(saidWords(row))}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** What only users of some resolvers get: warm ones, or those of programs that ask for validation. */
function rowsApart(result: TraversalResult) {
  const known = new Set(result.users.filter(({ share }) => share.most > 0).map(endTerm));
  return userGroups(result).flatMap((group) =>
    group.summary
      .filter((row) => !known.has(endTerm(row)))
      .map((row) => ({
        share: percentage(readFraction(row.fraction)),
        term: endTerm(row),
        who: `of ${usersIn(group)}${group.start === 'cold' ? '' : ONCE_WARM}`,
      })),
  );
}

/** How the rows of many names look. */
export interface NameRowLook {
  readonly colour: 'on' | 'off';
  readonly marks?: Marks;
  /** Columns that a line may take. */
  readonly width: number;
}

/** One of many names as a row: a mark, the question, and the verdict. Safe to print. */
export function nameRow(result: TraversalResult, { colour, marks, width }: NameRowLook): string {
  const { verdict, query } = result;
  const { name, type } = query;
  const effect = STATUS_EFFECT[verdict.status];
  const style = STYLES[effect];
  // With many names nobody asks again where servers agree, so that would stand in each row.
  const missing = notCheckedWords(result.notChecked?.filter(({ view }) => view !== 'rotation'));
  const question = printable(`${marks === 'ascii' ? name : titleName(name)} ${type}`).padEnd(
    QUESTION_COLUMNS,
  );
  const row = [
    { text: MARKS[effect] || '✓', style },
    { text: question },
    { text: `${verdict.text}${missing === '' ? '' : `; not checked: ${missing}`}`, style },
  ];
  return table([row], width, painter(colour, marks));
}

/** Rows are written as names are done, so no row knows how long the names of others are. */
const QUESTION_COLUMNS = 30;
