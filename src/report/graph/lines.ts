import { answerData } from '../../document/summary.ts';
import type { End } from '../../evaluate/end.ts';
import { byFamily } from '../../reading/by-family.ts';
import type { Bearing, Doing } from '../../reading/doing.ts';
import { grouped } from '../../reading/grouped.ts';
import { percent } from '../../reading/percent.ts';
import { count } from '../../reading/quantities.ts';
import { wrapped } from '../../reading/wrapped.ts';
import type { Box } from './diagram.ts';
import { endPhrase } from './end-phrase.ts';
import type { Pick } from './picks.ts';

/** Characters in a line of a box. */
const WIDTH = 44;

/** Longer texts are cut to so much. */
const LONGEST = 132;
const KEPT = 64;

/** What tells trouble without a colour. */
const MARKS: Readonly<Record<Bearing, string>> = {
  'leads-on': '',
  'ends-well': '',
  differs: '≠',
  fails: '✗',
  unknown: '?',
};

/** So many servers, or addresses, of one box are named. */
const NAMED = 3;

/** Which servers did the same: each with its address if they are few, else how many. */
export function serverLines(picks: readonly Pick[]): readonly string[] {
  const servers = grouped(picks, ({ name }) => name).map((own) => ({
    name: own[0].name,
    addresses: [...new Set(own.flatMap(({ address }) => address ?? []))].sort(byFamily),
  }));
  const addresses = servers.flatMap((server) => server.addresses).length;
  if (servers.length > NAMED) {
    const words = count(servers.length, 'server');
    return [addresses === 0 ? words : `${words}, ${count(addresses, 'address', 'addresses')}`];
  }
  return fitting(
    servers.map((server) => {
      const own = server.addresses;
      if (own.length === 0) return server.name;
      if (addresses <= NAMED) return `${server.name} ${own.join(', ')}`;
      return `${server.name} (${count(own.length, 'address', 'addresses')})`;
    }),
  );
}

/** What servers did, where it is not the usual thing; the mark tells trouble without a colour. */
export function doingLines({ words: usual, notes, bearing, end }: Doing): readonly string[] {
  const words = end === undefined ? usual : endPhrase(end);
  const remarks = notes.length === 0 ? '' : `(${notes.join(', ')})`;
  const mark = MARKS[bearing];
  return fitting([mark === '' ? remarks : `${mark} ${words} ${remarks}`]);
}

/** What an end is; each record of an answer in a line of its own, as long as they are few. */
export function endLines(end: End, bearing: Bearing): readonly string[] {
  const data = answerData(end);
  const [first = '', ...rest] =
    end.kind !== 'answer' || data.length > MOST_RECORDS
      ? [endPhrase(end)]
      : [...data, ...(end.authoritative ? [] : ['(not authoritative)'])];
  return fitting([`${MARKS[bearing]} ${first}`, ...rest]);
}

const MOST_RECORDS = 6;

/** All that a box says: with an end stands how much of all comes to it. */
export function boxText({ kind, lines, probability }: Box): readonly string[] {
  return kind === 'end' ? [percent(probability), ...lines] : lines;
}

/** Texts in lines that fit into a box. */
export function fitting(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text !== '').flatMap((text) => wrapped(cut(text), WIDTH));
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, KEPT)}... (${text.length} characters)`;
}
