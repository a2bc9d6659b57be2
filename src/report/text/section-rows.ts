import type { Bearing } from '../../reading/doing.ts';
import { grouped } from '../../reading/grouped.ts';
import { percentage } from '../../reading/percent.ts';
import { count, octets, span, time } from '../../reading/quantities.ts';
import { type Detail, shortened } from '../../reading/shortened.ts';
import type { Cell, Rows, Style } from '../table/table.ts';
import type { Outcome, Section } from './sections.ts';

/** How servers that passed the question on, and others, are marked. */
export const STYLES: Readonly<Record<Bearing, Style>> = {
  'leads-on': 'plain',
  'ends-well': 'good',
  differs: 'unknown',
  fails: 'bad',
  unknown: 'unknown',
};
const MARKS: Readonly<Record<Bearing, string>> = {
  'leads-on': ' ',
  'ends-well': ' ',
  differs: '≠',
  fails: '✗',
  unknown: '?',
};

type Group = readonly [Outcome, ...Outcome[]];

/**
 * A section as rows: zone or name server, address, what that took, what it did behind a mark. Equal siblings
 * are folded; a zone whose servers all pass the question on alike takes one row.
 */
export function sectionRows(section: Section, remark: string, detail: Detail): Rows {
  const heading: Cell = { text: section.zone, style: 'strong' };
  const groups = grouped(section.outcomes, ({ doing }) => [doing.words, ...doing.notes].join('\n'));
  const [only, ...others] = groups;
  const alike = only !== undefined && others.length === 0 && isPassedOn(only);
  if (alike && remark === '' && detail === 'terse') return [[heading, ...foldedCells(only)]];
  const folded = detail === 'full' ? [] : groups.filter((group) => alike || group.length > EACH_SHOWN);
  const single = section.outcomes.filter((outcome) => !folded.some((group) => group.includes(outcome)));
  const rows = section.outcomes.flatMap((outcome) => {
    const group = folded.find((members) => members.includes(outcome));
    if (group !== undefined) return group[0] === outcome ? [[{ text: '  most' }, ...foldedCells(group)]] : [];
    const before = single[single.indexOf(outcome) - 1];
    return [outcomeCells(outcome, before, detail)];
  });
  return [[heading, { text: remark, style: 'faint' }], ...rows];
}

/** So many that did the same are each shown where others did something else. */
const EACH_SHOWN = 6;

/** Whether these are several and passed the question on: nobody asks which did. */
function isPassedOn(group: Group): boolean {
  return group.length > 1 && group[0].doing.bearing === 'leads-on';
}

function foldedCells(group: Group): readonly Cell[] {
  const addresses = group.filter(({ address }) => address !== undefined).length;
  const servers = count(new Set(group.map(({ name }) => name)).size, 'server');
  const times = group.flatMap(({ exchange }) => exchange?.elapsedMs ?? []);
  const met = addresses === 0 ? servers : `${servers}, ${count(addresses, 'address', 'addresses')}`;
  return [{ text: met }, ...doingCells(group[0], span(times), 'terse')];
}

function outcomeCells(outcome: Outcome, before: Outcome | undefined, detail: Detail): readonly Cell[] {
  const { name, address = '', exchange } = outcome;
  const repeated = before?.name === name && detail === 'terse';
  const took = exchange === undefined ? '' : time(exchange.elapsedMs);
  return [{ text: repeated ? '' : `  ${name}` }, { text: address }, ...doingCells(outcome, took, detail)];
}

function doingCells(outcome: Outcome, took: string, detail: Detail): readonly Cell[] {
  const { words, notes, bearing } = outcome.doing;
  const style = STYLES[bearing];
  const said = bearing === 'ends-well' || bearing === 'differs' ? shortened(words, detail) : words;
  const noted = notes.length === 0 ? [] : [`(${notes.join(', ')})`];
  return [
    { text: took, align: 'right', style: 'faint' },
    { text: [MARKS[bearing], said, ...noted].join(' '), style },
    { text: detail === 'full' ? particulars(outcome).join(', ') : '', style: 'faint' },
  ];
}

function particulars({ exchange, source, probability }: Outcome): readonly string[] {
  const share = `on ${percentage(probability)} of paths`;
  const found = source === 'lookup' ? ['address looked up', share] : [share];
  if (exchange === undefined) return found;
  const { id, flags = [], bytes } = exchange;
  const reply = [flags.join(' '), bytes === undefined ? '' : octets(bytes)].filter((part) => part !== '');
  return [...reply, ...found, id];
}
