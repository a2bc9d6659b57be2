import type { ListedServer, ToldRow } from '../client/job-event.ts';
import { type Detail, shortened } from '../report/text/shortened.ts';
import type { Cell, Rows } from '../report/text/table.ts';
import { listed } from '../report/text/words.ts';
import { labelCount } from '../wire/name.ts';
import { softwareWords } from './software-line.ts';

/** The server list as rows: a heading, then a row for each address. */
export function serverRows(servers: readonly ListedServer[], detail: Detail): Rows {
  const titles = ['Address', 'Names', 'Zones', 'Software', ...QUESTIONS[detail].map(({ title }) => title)];
  const heading = titles.map((text): Cell => ({ text, style: 'faint' }));
  const rootFirst = [...servers].sort((a, b) => depth(a) - depth(b) || compare(place(a), place(b)));
  return [heading, ...rootFirst.map((server) => rowOf(server, detail))];
}

/** How far from the root a server is met first. */
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
  readonly told: (server: ListedServer) => ToldRow | undefined;
}

const VERSION: SelfQuestion = { title: 'version.bind', told: ({ versionBind }) => versionBind };

const QUESTIONS: Readonly<Record<Detail, readonly SelfQuestion[]>> = {
  terse: [VERSION],
  full: [
    VERSION,
    { title: 'hostname.bind', told: ({ hostnameBind }) => hostnameBind },
    { title: 'id.server', told: ({ idServer }) => idServer },
    { title: 'NSID', told: ({ nsid }) => nsid },
  ],
};

function rowOf(server: ListedServer, detail: Detail): readonly Cell[] {
  const { address, names, zones, software } = server;
  const shown = detail === 'full' ? Number.POSITIVE_INFINITY : SHOWN;
  return [
    { text: address },
    { text: listed(names, shown) },
    { text: listed(zones, shown) },
    { text: software === undefined ? '' : softwareWords(software), style: 'strong' },
    ...QUESTIONS[detail].map(({ told }) => toldCell(told(server), detail)),
  ];
}

/** So many names and zones of one address are worth their room. */
const SHOWN = 2;

/** What a server said, in quotes, or what came instead. */
function toldCell(told: ToldRow | undefined, detail: Detail): Cell {
  if (told === undefined) return { text: '' };
  const { status, text = '', rcode, failure } = told;
  switch (status) {
    case 'answer':
      return { text: `"${shortened(text, detail)}"` };
    case 'empty':
      return { text: 'nothing', style: 'faint' };
    case 'refused':
      return { text: 'refused', style: 'faint' };
    case 'timeout':
      return { text: 'no reply', style: 'unknown' };
    case 'error':
      return { text: rcode ?? failure ?? 'error', style: 'unknown' };
  }
}
