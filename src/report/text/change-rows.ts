import type { End } from '../../evaluate/end.ts';
import { readFraction, sum, ZERO } from '../../evaluate/fraction.ts';
import { bearingOf } from '../../reading/bearing.ts';
import type { EndChange } from '../../reading/changes/end-changes.ts';
import type { GoneAndNew, NamedAddress } from '../../reading/changes/result-changes.ts';
import { endWords } from '../../reading/end-words.ts';
import { grouped } from '../../reading/grouped.ts';
import { percentages } from '../../reading/words/percent.ts';
import { count } from '../../reading/words/quantities.ts';
import type { Detail, Shorten } from '../../reading/words/shortened.ts';
import { STYLES } from '../table/styles.ts';
import type { Cell, Rows } from '../table/table.ts';
import { placeKey, placeOf } from './places.ts';

/** How changed ends are shown. */
interface ChangeWording {
  readonly detail: Detail;
  readonly shorten: Shorten;
}

/** The most changed ends of a view that are shown unless full detail is wanted. */
const ENDS_SHOWN = 12;

/** The changed ends of a view, with what their probability was and is. */
export function endChangeRows(
  title: string,
  changes: readonly EndChange[],
  { detail, shorten }: ChangeWording,
): Rows {
  if (changes.length === 0) return [];
  // Addresses of one server are one place only if the same became of them.
  const places = grouped(changes, (end) => [fateOf(end), endWords(end), placeKey(end)].join('\n'));
  const shown = detail === 'full' ? places : places.slice(0, ENDS_SHOWN);
  const shares = percentages(shown.flatMap((ends) => [weightOf(ends, 'before'), weightOf(ends, 'after')]));
  const more = places.length - shown.length;
  return [
    [{ text: title, style: 'strong' }],
    ['was', 'now'].map((text) => ({ text, align: 'right', style: 'faint' })),
    ...shown.map((ends, at) => [
      shareCell(ends[0].before, shares[2 * at]),
      shareCell(ends[0].after, shares[2 * at + 1]),
      { text: endWords(ends[0], shorten), style: STYLES[bearingOf(ends[0])] },
      { text: placeOf(ends) },
    ]),
    ...(more === 0 ? [] : [[{ text: '' }, { text: '' }, { text: `and ${count(more, 'more end')}` }]]),
  ];
}

function fateOf({ before, after }: EndChange): string {
  return before === null ? 'new' : after === null ? 'gone' : 'shifted';
}

function weightOf(ends: readonly (End & EndChange)[], when: 'before' | 'after') {
  return sum(ends.map((end) => (end[when] === null ? ZERO : readFraction(end[when]))));
}

function shareCell(fraction: string | null, percent = ''): Cell {
  return { text: fraction === null ? '-' : percent, align: 'right', style: 'strong' };
}

/** The servers that came and went. */
export function serverChangeRows({ gone, new: appeared }: GoneAndNew<NamedAddress>): Rows {
  const rows = (what: string, servers: readonly NamedAddress[]) =>
    servers.map(({ address, names }) => [{ text: what }, { text: address }, { text: names.join(', ') }]);
  const all = [...rows('new', appeared), ...rows('gone', gone)];
  return all.length === 0 ? [] : [[{ text: 'Servers', style: 'strong' }], ...all];
}
