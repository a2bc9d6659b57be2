/* Rows of text for the chain of trust, and for the queries that validating it needed. */

import type { TraversalResult } from '../../document/result.ts';
import { END_TERMS } from '../../document/words/end-words.ts';
import { listed } from '../../document/words/lists.ts';
import { time } from '../../document/words/quantities.ts';
import { exchangeVerdictWords } from '../../document/words/security-words.ts';
import type { ChainLink, ChainSide } from '../views/chain.ts';
import { type Effect, MARKS } from '../views/effects.ts';
import { type Cell, naturalWidth, type Rows, STYLES, type Style } from './table.ts';

/** What the columns of `chainRows` have. */
export const CHAIN_TITLES = ['Zone or name', 'Record', 'Content', 'Signed', 'Valid', 'Verdict'] as const;

/**
 * The chain of trust from the root down: a row for each key, DS record or datum, with the signature beside it and the
 * verdict beside the first. Where servers differ, each side has rows of its own, and below them its servers.
 */
export function chainRows(links: readonly ChainLink[]): Rows {
  return rowsOf(links, (zone, record) => [[zone, record]]);
}

/** The same for a terminal: names have rows of their own where they do not fit. */
export function fittedChain(links: readonly ChainLink[], width: number): Rows {
  const rows = chainRows(links);
  // Notes may be broken.
  if (naturalWidth(rows.filter((row) => !isNote(row))) <= width) return rows;
  return rowsOf(links, (zone, record) => [
    ...(zone.text === '' ? [] : [[zone]]),
    [{ text: `  ${record.text}` }],
  ]);
}

/** Whether a row comments on the rows above it, and has no columns. */
export function isNote(row: Rows[number]): boolean {
  return row.length <= NOTE_CELLS;
}

/** With the empty cells below the zone and the record. */
const NOTE_CELLS = 3;

/** Makes the first cells of a link; the content continues in the last of these rows. */
type Heads = (zone: Cell, record: Cell) => readonly (readonly Cell[])[];

function rowsOf(links: readonly ChainLink[], heads: Heads): Rows {
  return links.flatMap(({ zone, record, sides }, at) =>
    sides.flatMap((side, nth) => {
      const isNew = nth === 0 && links[at - 1]?.zone !== zone;
      const head = heads({ text: isNew ? zone : '', style: 'strong' }, { text: record });
      return [...head.slice(0, -1), ...sideRows(head.at(-1) ?? [], side)];
    }),
  );
}

function sideRows(head: readonly Cell[], side: ChainSide): Rows {
  const style = styleOf(side.effect);
  const [first = { what: '' }, ...others] = side.lines;
  const verdict = { text: `${MARKS[side.effect]} ${side.verdict}`.trim(), style };
  const note = noteOn(side);
  const below = head.map((): Cell => ({ text: '' }));
  return [
    [...head, ...lineCells(first), verdict],
    ...others.map((line) => [...below, ...lineCells(line)]),
    ...(note === '' ? [] : [[...below, { text: note, style }]]),
  ];
}

function lineCells({ what, signature }: ChainSide['lines'][number]): readonly Cell[] {
  const { by, valid } = signature ?? { by: '', valid: '' };
  return [{ text: what }, { text: by }, { text: valid, style: 'faint' }];
}

/** A good link needs no colour but at its verdict. */
function styleOf(effect: Effect): Style {
  return effect === 'leads-on' ? 'good' : STYLES[effect];
}

/** The most servers that a note names. */
const NAMED = 4;

/** "from ns1.example., secure at 2 of 4 addresses", and the reason, which findings tell if there are any. */
function noteOn({ servers, verdict, where, reason, codes }: ChainSide): string {
  const partly = where === '' ? '' : `, ${verdict}${where}`;
  const from = servers.length === 0 ? '' : `from ${listed(servers, NAMED)}${partly}`;
  const why = codes.length === 0 ? reason : `see ${listed(codes)}`;
  return [from, why].filter((part) => part !== '').join(': ');
}

/** Each query that only validation needed: the server, the time it took, the verdict on the reply, and its identifier. */
export function proofRows({ exchanges }: TraversalResult): Rows {
  return exchanges
    .filter(({ purpose }) => purpose === 'dnssec')
    .map((row) => {
      const { id, server, question, elapsedMs, failure, rcode = '', security } = row;
      const plainWords = failure === undefined ? rcode : END_TERMS[failure];
      return [
        { text: `${question.name} ${question.type}` },
        { text: server.names[0] ?? '' },
        { text: server.address },
        { text: time(elapsedMs), align: 'right', style: 'faint' },
        {
          text: exchangeVerdictWords(row) ?? plainWords,
          ...(security?.status === 'bogus' ? { style: 'bad' as const } : {}),
        },
        { text: id, style: 'faint' },
      ];
    });
}
