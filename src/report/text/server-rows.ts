import { labelCount } from '../../dns/name.ts';
import type { ListedServer, NotAsked, SelfDescription } from '../../document/servers.ts';
import { listed } from '../../document/words/lists.ts';
import { type Detail, shortened } from '../../document/words/shortened.ts';
import { softwareWords } from '../views/wording.ts';
import { type Cell, naturalWidth, type Rows } from './table.ts';

/** The server list as rows that fit the width if possible: a heading, then a row for each address. */
export function serverRows(servers: readonly ListedServer[], detail: Detail, width: number): Rows {
  const rootFirst = [...servers].sort((a, b) => depth(a) - depth(b) || compare(place(a), place(b)));
  const titles = [...PLACE_TITLES, 'Software', ...QUESTIONS[detail].map(({ title }) => title)];
  const rows = [headingOf(titles), ...rootFirst.map((server) => rowOf(server, detail))];
  if (detail === 'full' || naturalWidth(rows) <= width) return rows;
  return [headingOf([...PLACE_TITLES, 'Software']), ...rootFirst.map(narrowRowOf)];
}

const PLACE_TITLES = ['Address', 'Names', 'Zones'];

function headingOf(titles: readonly string[]): readonly Cell[] {
  return titles.map((text) => ({ text, style: 'faint' }));
}

/** The labels of its topmost zone: servers near the root come first. */
function depth({ zones }: ListedServer): number {
  return Math.min(...zones.map(labelCount));
}

/** Servers of one zone stand together, and addresses of one server. */
function place({ zones, names, address }: ListedServer): string {
  return [zones[0], names[0], address.includes(':') ? '6' : '4', address].join(' ');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

interface SelfQuestion {
  readonly title: string;
  readonly told: (server: ListedServer) => SelfDescription | undefined;
}

const VERSION: SelfQuestion = { title: 'version.bind', told: ({ versionBind }) => versionBind };

const QUESTIONS: Readonly<Record<Detail, readonly SelfQuestion[]>> = {
  terse: [VERSION],
  full: [
    VERSION,
    { title: 'hostname.bind', told: ({ hostnameBind }) => unlessSkipped(hostnameBind) },
    { title: 'id.server', told: ({ idServer }) => unlessSkipped(idServer) },
    { title: 'NSID', told: ({ nsid }) => unlessSkipped(nsid) },
  ],
};

/** That a server was not asked is said once. */
function unlessSkipped(told: SelfDescription | undefined): SelfDescription | undefined {
  return told?.status === 'skipped' ? undefined : told;
}

function rowOf(server: ListedServer, detail: Detail): readonly Cell[] {
  const told = QUESTIONS[detail].map((question) => toldCell(question.told(server), detail));
  const shown = detail === 'full' ? Number.POSITIVE_INFINITY : SHOWN;
  return [...placeCells(server, shown), softwareCell(server), ...told];
}

/** What the server said is shown only if it tells more than the software identified from it. */
function narrowRowOf(server: ListedServer): readonly Cell[] {
  const { software, versionBind } = server;
  const cells = placeCells(server, 1);
  if (software === undefined) return [...cells, toldCell(versionBind, 'terse')];
  const isSaid = versionBind.status !== 'answer' || softwareWords(software).includes(versionBind.text);
  return [...cells, softwareCell(server), ...(isSaid ? [] : [toldCell(versionBind, 'terse')])];
}

function placeCells(
  { address, names, namesOmitted = 0, zones }: ListedServer,
  shown: number,
): readonly Cell[] {
  const known = names.length + namesOmitted;
  return [{ text: address }, { text: listed(names, shown, known) }, { text: listed(zones, shown) }];
}

function softwareCell({ software }: ListedServer): Cell {
  return { text: software === undefined ? '' : softwareWords(software), style: 'strong' };
}

/** The most names, and zones, that one address shows. */
const SHOWN = 2;

/** What a server said, in quotes, or what happened instead. */
function toldCell(told: SelfDescription | undefined, detail: Detail): Cell {
  if (told === undefined) return { text: '' };
  switch (told.status) {
    case 'answer':
      return { text: `"${shortened(told.text, detail)}"` };
    case 'empty':
      return { text: 'nothing', style: 'faint' };
    case 'refused':
      return { text: 'refused', style: 'faint' };
    case 'timeout':
      return { text: 'no reply', style: 'unknown' };
    case 'error':
      return { text: told.rcode ?? told.failure ?? 'error', style: 'unknown' };
    case 'skipped':
      return { text: `not asked: ${NOT_ASKED[told.reason]}`, style: 'unknown' };
  }
}

const NOT_ASKED: Readonly<Record<NotAsked, string>> = {
  silent: 'silent',
  limit: 'too many',
  time: 'no time left',
  blocked: 'to be left alone',
};
