import { count } from '../../document/words/quantities.ts';
import type { Detail } from '../../document/words/shortened.ts';
import type { ExchangeClass } from '../../explore/meaning.ts';
import type { Paint } from '../../report/text/table.ts';
import type { Progress } from '../../report/views/progress.ts';
import { REPLY_WORDS, type SeenServer, type SeenZone, works } from '../../report/views/seen-zones.ts';
import { softwareLine } from '../../report/views/wording.ts';
import { cutLine, foldLine, type Line, type Room } from './live.ts';
import { awaitedLines, headline } from './summary-frame.ts';

/** A run with the zones it has reached, in lines that fit the room. Pure, and safe to print. */
export function zonesFrame(
  progress: Progress,
  elapsedMs: number,
  room: Room,
  { paint, detail }: FrameLook,
): readonly string[] {
  const head = [headline(progress, elapsedMs), ...awaitedLines(progress)];
  const foot = footLines(progress);
  const body = zoneLines(progress, detail, room.rows - head.length - foot.length);
  return [...head, ...body, ...foot].map((line) => cutLine(line, room.columns, paint));
}

/** How the frames of a run look. */
interface FrameLook {
  readonly paint: Paint;
  readonly detail: Detail;
}

/** As `zonesFrame`, but for good, once the run has ended: nothing is left out, and long lines are folded. */
export function lastFrame(
  progress: Progress,
  elapsedMs: number,
  columns: number,
  { paint, detail }: FrameLook,
): readonly string[] {
  const body = zoneLines(progress, detail, Number.POSITIVE_INFINITY);
  const lines = [headline(progress, elapsedMs), ...body, ...footLines(progress)];
  return lines.map((line) => foldLine(line, columns, paint));
}

function footLines({ complete, list }: Progress): readonly Line[] {
  const lines: Line[] = [];
  if (complete?.verdict !== undefined)
    lines.push([{ text: 'verdict   ', style: 'faint' }, { text: complete.verdict.text }]);
  if (list !== undefined && list.servers.length > 0) {
    lines.push([{ text: 'software  ', style: 'faint' }, { text: softwareLine(list.servers) }]);
  }
  return lines;
}

/** The zones seen so far, in as many lines as there is room for: a mark for each server, and what failed. */
function zoneLines(progress: Progress, detail: Detail, room: number): readonly Line[] {
  const [main, others] = [progress.zones.all, progress.elsewhere.all];
  const zones = [...main, ...others];
  const layout: Layout = {
    detail,
    width: Math.min(LONGEST_ZONE, Math.max(0, ...zones.map(({ zone }) => zone.length))),
    marks: Math.min(MOST_MARKS, Math.max(0, ...zones.map(({ servers }) => servers.size))),
  };
  const linesOf = (zone: SeenZone) => linesFor(zone, layout);
  const heading = others.length === 0 ? [] : [ELSEWHERE];
  return cutTo(room, [...main.flatMap(linesOf), ...heading, ...others.flatMap(linesOf)]);
}

/** What the lines of all zones have in common. */
interface Layout {
  readonly detail: Detail;
  /** Columns for the names of zones. */
  readonly width: number;
  /** Columns for marks. */
  readonly marks: number;
}

/** A longer zone pushes its servers aside. */
const LONGEST_ZONE = 32;

const ELSEWHERE: Line = [
  { text: 'for the addresses of name servers, and the targets of aliases', style: 'faint' },
];

function cutTo(room: number, lines: readonly Line[]): readonly Line[] {
  if (lines.length <= room) return lines;
  const shown = lines.slice(0, Math.max(0, room - 1));
  const rest = count(lines.length - shown.length, 'more line');
  return [...shown, [{ text: `  ... and ${rest}`, style: 'faint' }]];
}

function linesFor({ zone, servers: seen }: SeenZone, layout: Layout): readonly Line[] {
  const servers = [...seen.values()];
  const failing = servers.filter((server) => !works(server));
  const heading: Line = [
    { text: `  ${zone.padEnd(layout.width)}  ` },
    ...marks(servers.length - failing.length, failing.length, layout.marks),
    { text: `  ${wordsFor(servers)}`, style: 'faint' },
  ];
  return [heading, ...named(servers, failing, layout)];
}

/** Servers on lines of their own: all of them in full detail; else those that fail, if that sets them apart. */
function named(
  servers: readonly SeenServer[],
  failing: readonly SeenServer[],
  { detail, width }: Layout,
): readonly Line[] {
  const allFail = failing.length === servers.length && servers.length > FAILING_SHOWN;
  const shown = detail === 'full' ? servers : allFail ? [] : failing.slice(0, FAILING_SHOWN);
  const indent = ' '.repeat(width + 4);
  return shown.map((server) => {
    const good = works(server);
    const words = [good ? '✓' : '✗', ...server.names.slice(0, 1), server.address].join(' ');
    return [
      { text: indent },
      { text: `${words}  ${classWords(server.classes)}`, style: good ? 'good' : 'bad' },
    ];
  });
}

const FAILING_SHOWN = 4;

/** A mark for each server, or numbers where there are too many; `most` columns wide. */
function marks(working: number, failing: number, most: number): Line {
  const isMany = working + failing > MOST_MARKS;
  const mark = (sign: string, number: number) => (isMany ? `${sign} ${number}  ` : sign.repeat(number));
  const good = working > 0 ? mark('✓', working) : '';
  const bad = failing > 0 ? mark('✗', failing) : '';
  const rest = ' '.repeat(Math.max(0, most - good.length - bad.length));
  return [{ text: good, style: 'good' }, { text: bad, style: 'bad' }, { text: rest }];
}

const MOST_MARKS = 16;

function wordsFor(servers: readonly SeenServer[]): string {
  const classes = new Map<ExchangeClass, number>();
  for (const server of servers) {
    for (const kind of server.classes.keys()) classes.set(kind, (classes.get(kind) ?? 0) + 1);
  }
  return classWords(classes);
}

/** "referral" where there is only that, else "7 × answer, 1 × timeout". */
function classWords(classes: ReadonlyMap<ExchangeClass, number>): string {
  const [only] = classes.keys();
  if (classes.size === 1 && only !== undefined) return REPLY_WORDS[only];
  const sorted = [...classes].sort(([, a], [, b]) => b - a);
  return sorted.map(([kind, number]) => `${number} × ${REPLY_WORDS[kind]}`).join(', ');
}
