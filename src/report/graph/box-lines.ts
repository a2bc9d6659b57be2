/* The lines of text in the boxes of the diagram. */

import { dataOf } from '../../document/ends.ts';
import { namelessEndWords } from '../../document/words/end-words.ts';
import { byFamily, grouped } from '../../document/words/lists.ts';
import { count } from '../../document/words/quantities.ts';
import { type Shorten, shortening, wrapped } from '../../document/words/shortened.ts';
import type { End } from '../../evaluate/end.ts';
import { type Effect, MARKS } from '../views/effects.ts';
import type { PickView } from '../views/picks.ts';

/**
 * Servers that did the same: each with its address if they are few, otherwise their number, with a mark
 * for trouble and notes on how they were asked. How paths end is said in the box of the end.
 */
export function serverLines(picks: readonly [PickView, ...PickView[]]): readonly string[] {
  const { notes, effect, words, end } = picks[0].reply;
  const [first = '', ...others] = serverNames(picks);
  const stop = end === undefined && effect === 'unknown' ? words : '';
  return fitting([
    `${MARKS[effect]} ${first}`,
    ...others,
    stop,
    notes.length === 0 ? '' : `(${notes.join(', ')})`,
  ]);
}

/** Characters in a line of a box. */
const WIDTH = 44;

/** Longer texts in a box are cut. */
const LONGEST = 132;

/** The most servers, or addresses, that one box names. */
const NAMED = 3;

function serverNames(picks: readonly PickView[]): readonly string[] {
  const servers = grouped(picks, ({ name }) => name).map((own) => ({
    name: own[0].name,
    addresses: [...new Set(own.flatMap(({ address }) => address ?? []))].sort(byFamily),
  }));
  const addresses = servers.flatMap((server) => server.addresses).length;
  if (servers.length > NAMED) {
    const words = count(servers.length, 'server');
    return [addresses === 0 ? words : `${words}, ${count(addresses, 'address', 'addresses')}`];
  }
  return servers.map(({ name, addresses: own }) => {
    if (own.length === 0) return name;
    if (addresses <= NAMED) return `${name} ${own.join(', ')}`;
    return `${name} (${count(own.length, 'address', 'addresses')})`;
  });
}

/** An end in words; the records of an answer, if they are few, each on a line of its own. */
export function endLines(end: End, effect: Effect, shorten: Shorten): readonly string[] {
  const data = end.kind === 'answer' ? dataOf(end.records) : [];
  const [first = '', ...rest] =
    end.kind !== 'answer' || data.length > MOST_RECORDS
      ? [namelessEndWords(end, shorten)]
      : [...data.map(shorten), ...(end.authoritative ? [] : ['(not authoritative)'])];
  return fitting([`${MARKS[effect]} ${first}`, ...rest]);
}

const MOST_RECORDS = 6;

/** Shortens the data in the boxes of one diagram, and keeps different data different. */
export function shorteningForBoxes(data: readonly string[]): Shorten {
  return shortening(data, LONGEST);
}

/** Texts in lines that fit a box. */
export function fitting(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text.trim() !== '').flatMap((text) => wrapped(shortenAlone(text), WIDTH));
}

/** Leaves room for what `shorteningForBoxes` lets through. */
const shortenAlone = shortening([], LONGEST + WIDTH);
