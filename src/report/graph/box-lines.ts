import { answerData } from '../../document/summary.ts';
import type { End } from '../../evaluate/end.ts';
import { type Bearing, MARKS } from '../../reading/bearing.ts';
import { byFamily } from '../../reading/by-family.ts';
import { namelessEndWords } from '../../reading/end-words.ts';
import { grouped } from '../../reading/grouped.ts';
import type { PickView } from '../../reading/pick-views.ts';
import { percent } from '../../reading/words/percent.ts';
import { count } from '../../reading/words/quantities.ts';
import { type Shorten, shortening } from '../../reading/words/shortened.ts';
import { wrapped } from '../../reading/words/wrapped.ts';
import type { Box } from './diagram.ts';

/** Characters in a line of a box. */
const WIDTH = 44;

/** Characters of a text in a box: longer ones are cut. */
const LONGEST = 132;

/** How many servers, or addresses, of one box are named. */
const NAMED = 3;

/**
 * Servers that did the same: each with its address if they are few, else how many, behind a mark if that
 * was trouble. How it ended stands in the box of the end; here is what it took.
 */
export function serverLines(picks: readonly [PickView, ...PickView[]]): readonly string[] {
  const { notes, bearing, words, end } = picks[0].account;
  const [first = '', ...others] = serverNames(picks);
  const stop = end === undefined && bearing === 'unknown' ? words : '';
  return fitting([
    `${MARKS[bearing]} ${first}`,
    ...others,
    stop,
    notes.length === 0 ? '' : `(${notes.join(', ')})`,
  ]);
}

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

/** What an end is; each record of an answer in a line of its own, as long as they are few. */
export function endLines(end: End, bearing: Bearing, shorten: Shorten): readonly string[] {
  const data = answerData(end);
  const [first = '', ...rest] =
    end.kind !== 'answer' || data.length > MOST_RECORDS
      ? [namelessEndWords(end, shorten)]
      : [...data.map(shorten), ...(end.authoritative ? [] : ['(not authoritative)'])];
  return fitting([`${MARKS[bearing]} ${first}`, ...rest]);
}

const MOST_RECORDS = 6;

/** All that a box says: with an end stands how much of all comes to it. */
export function boxText({ kind, lines, probability }: Box): readonly string[] {
  return kind === 'end' ? [percent(probability), ...lines] : lines;
}

/** Makes what the boxes of one diagram say short enough, and keeps apart what differs. */
export function shorteningForBoxes(data: readonly string[]): Shorten {
  return shortening(data, LONGEST);
}

/** Texts in lines that fit into a box. */
export function fitting(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text.trim() !== '').flatMap((text) => wrapped(shortenAlone(text), WIDTH));
}

/** What has been shortened beside others can be a little longer. */
const shortenAlone = shortening([], LONGEST + WIDTH);
