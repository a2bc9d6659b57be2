import { isUsable } from '../../explore/meaning.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import { printable } from '../../reading/words/printable.ts';
import { count, time } from '../../reading/words/quantities.ts';
import type { Cell, Paint } from '../../report/table/table.ts';
import { REPLY_WORDS } from './reply-words.ts';
import { softwareLine } from './software-line.ts';
import type { Picture, ReplyClass, SeenServer, SeenZone } from './watch-picture.ts';

/** A line of cells that stand side by side. */
type Line = readonly Cell[];

/** How much room there is. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** The picture of a job as lines that fit the room: a pure function, safe to print. */
export function watchFrame(
  picture: Picture,
  elapsedMs: number,
  { columns, rows }: Room,
  paint: Paint,
): readonly string[] {
  const head = [headline(picture, elapsedMs)];
  const foot = footLines(picture);
  const lines = [...head, ...bodyLines(picture, rows - head.length - foot.length), ...foot];
  return lines.map((line) => painted(line, columns, paint));
}

/** One line on how far a job is. */
export function headline(picture: Picture, elapsedMs: number): Line {
  const { question, connection } = picture;
  const title = question === undefined ? 'waiting for its turn' : `${question.name} ${question.type}`;
  const stage = question === undefined ? '' : `  ${stageOf(picture)}`;
  const lost: Line = connection === 'lost' ? [{ text: '  connection lost, trying again', style: 'bad' }] : [];
  return [
    { text: title, style: 'strong' },
    { text: `${stage}, ${time(elapsedMs)}`, style: 'faint' },
    ...lost,
  ];
}

/** Cells as one line, painted, and cut where there is no more room. */
export function painted(line: Line, columns: number, paint: Paint): string {
  let room = columns;
  return line
    .map(({ text, style = 'plain' }) => {
      const safe = printable(text);
      const shown = safe.length <= room ? safe : cut(safe, room);
      room -= shown.length;
      return shown === '' ? '' : paint(shown, style);
    })
    .join('');
}

function cut(text: string, room: number): string {
  return room > 3 ? `${text.slice(0, room - 3)}...` : text.slice(0, Math.max(0, room));
}

function stageOf({ heard, waiting, complete, list, identified }: Picture): string {
  const replies = count(heard, 'reply', 'replies');
  if (list !== undefined) return `${replies}, ${count(identified, 'server')} identified`;
  if (complete === undefined) return `${replies}, ${waiting} awaited`;
  if (complete.status !== 'complete') return `${replies}, ${complete.status}`;
  return identified === 0
    ? `${replies}, asking the servers who they are`
    : `${replies}, ${count(identified, 'server')} identified so far`;
}

function footLines({ summary, complete, list }: Picture): readonly Line[] {
  const lines: Line[] = [];
  if (summary.length > 0) {
    const title = complete === undefined ? 'so far    ' : 'ends in   ';
    lines.push([{ text: title, style: 'faint' }, { text: summaryLine(summary, 'terse') }]);
  }
  if (list !== undefined && list.servers.length > 0) {
    lines.push([{ text: 'software  ', style: 'faint' }, { text: softwareLine(list.servers) }]);
  }
  return lines;
}

function bodyLines({ zones, elsewhere }: Picture, room: number): readonly Line[] {
  const all = [...zones.all, ...elsewhere.all];
  const width = Math.min(LONGEST_ZONE, Math.max(0, ...all.map(({ zone }) => zone.length)));
  const most = Math.min(MOST_MARKS, Math.max(0, ...all.map(({ servers }) => servers.size)));
  const main = [...zones.all].flatMap((zone) => zoneLines(zone, width, most));
  const others = [...elsewhere.all].flatMap((zone) => zoneLines(zone, width, most));
  const lines = others.length === 0 ? main : [...main, ELSEWHERE, ...others];
  if (lines.length <= room) return lines;
  const shown = lines.slice(0, Math.max(0, room - 1));
  return [
    ...shown,
    [{ text: `  ... and ${count(lines.length - shown.length, 'line')} more`, style: 'faint' }],
  ];
}

const ELSEWHERE: Line = [
  { text: 'for the addresses of name servers, and where aliases lead', style: 'faint' },
];

/** A longer zone pushes its servers aside. */
const LONGEST_ZONE = 32;

function zoneLines(seen: SeenZone, width: number, most: number): readonly Line[] {
  const servers = [...seen.servers.values()];
  const failing = servers.filter((server) => !works(server));
  const heading: Line = [
    { text: `  ${seen.zone.padEnd(width)}  ` },
    ...marks(servers.length - failing.length, failing.length, most),
    { text: `  ${wordsFor(servers)}`, style: 'faint' },
  ];
  const told = failing
    .slice(0, FAILING_SHOWN)
    .map(
      (server): Line => [
        { text: `  ${' '.repeat(width)}  ` },
        { text: `✗ ${server.address}  ${classWords(server.classes)}`, style: 'bad' },
      ],
    );
  return failing.length === servers.length && servers.length > FAILING_SHOWN ? [heading] : [heading, ...told];
}

const FAILING_SHOWN = 4;

/** A mark for each server, where there is room for so many; as wide as `most` of them. */
function marks(working: number, failing: number, most: number): Line {
  const isMany = working + failing > MOST_MARKS;
  const mark = (sign: string, number: number) => (isMany ? `${sign} ${number}  ` : sign.repeat(number));
  const good = working > 0 ? mark('✓', working) : '';
  const bad = failing > 0 ? mark('✗', failing) : '';
  const rest = ' '.repeat(Math.max(0, most - good.length - bad.length));
  return [{ text: good, style: 'good' }, { text: bad, style: 'bad' }, { text: rest }];
}

const MOST_MARKS = 16;

/** Whether nothing was heard of a server that a resolver could not use. */
function works({ classes }: SeenServer): boolean {
  return [...classes.keys()].every(isUsable);
}

function wordsFor(servers: readonly SeenServer[]): string {
  const classes = new Map<ReplyClass, number>();
  for (const server of servers) {
    for (const kind of server.classes.keys()) classes.set(kind, (classes.get(kind) ?? 0) + 1);
  }
  return classWords(classes);
}

/** "referral" where there is only that, else "7 × answer, 1 × timeout". */
function classWords(classes: ReadonlyMap<ReplyClass, number>): string {
  const [only] = classes.keys();
  if (classes.size === 1 && only !== undefined) return REPLY_WORDS[only];
  const sorted = [...classes].sort(([, a], [, b]) => b - a);
  return sorted.map(([kind, number]) => `${number} × ${REPLY_WORDS[kind]}`).join(', ');
}
