import type { TraversalResult } from '../document/result.ts';
import { printable } from '../document/words/shortened.ts';
import { type Marks, painter, STYLES, table } from './text/table.ts';
import { MARKS } from './views/effects.ts';
import { notCheckedWords } from './views/not-checked.ts';
import { shareWords } from './views/user-shares.ts';
import { networkFailure, verdictLine, verdictOn } from './views/verdict.ts';
import { endTerm, resolverAddress, saidWords } from './views/wording.ts';

/**
 * A result as what users get. If all get the same and no resolver was asked: its data, a record a line, as `dig +short`. Else
 * the share of users and the answer, a row each, and what resolvers said. Safe to print.
 */
export function shortText(result: TraversalResult): string {
  const failure = networkFailure(result);
  if (failure !== undefined) return `${failure.words}\n`;
  const { users, resolvers = [] } = result;
  const [only, ...others] = users;
  if (only?.answer !== undefined && others.length === 0 && resolvers.length === 0)
    return only.answer.map((data) => `${printable(data)}\n`).join('');
  const shares = users.map(({ share }) => shareWords(share));
  const width = Math.max(0, ...shares.map(({ length }) => length));
  return [
    ...users.map((row, at) => `${(shares[at] ?? '').padStart(width)}  ${printable(endTerm(row))}`),
    ...resolvers.map((row) => `@${resolverAddress(row.server)}  ${printable(saidWords(row))}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
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
  const { name, type } = result.query;
  const verdict = verdictOn(result);
  const style = STYLES[verdict.effect];
  // With many names nobody asks again where servers agree, so that would stand in each row.
  const missing = notCheckedWords(result.notChecked?.filter(({ view }) => view !== 'rotation'));
  const question = printable(`${name} ${type}`).padEnd(QUESTION_COLUMNS);
  const row = [
    { text: MARKS[verdict.effect] || '✓', style },
    { text: question },
    { text: `${verdictLine(verdict)}${missing === '' ? '' : `; not checked: ${missing}`}`, style },
  ];
  return table([row], width, painter(colour, marks));
}

/** Rows are written as names are done, so no row knows how long the names of others are. */
const QUESTION_COLUMNS = 30;
