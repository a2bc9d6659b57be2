import { printable } from '../../document/words/shortened.ts';
import type { Cell, Paint } from '../../report/text/table.ts';
import { columnsOf, type OutputStream } from '../process/io.ts';

/** Lines at the end of a terminal, painted over at an interval until they are stopped. */
export interface Live {
  /** Takes the lines away, to write something else; they come back below it. */
  readonly clear: () => void;
  /** Takes the lines away for good. */
  readonly stop: () => void;
}

/** How much room there is to draw in. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** Lines that fit the room, painted: what a live view shows at a moment. */
type LiveFrame = (room: Room) => readonly string[];

const REPAINT_MS = 100;

/** Rows of a terminal that does not say how many it has. */
const USUAL_ROWS = 24;

/** Draws a frame on a terminal, again and again. */
export function showLive(stream: OutputStream, frame: LiveFrame): Live {
  let shown: readonly string[] = [];
  const show = (lines: readonly string[]) => {
    if (lines.join('\n') === shown.join('\n')) return;
    stream.write(`${erasure(shown)}${lines.join('\n')}`);
    shown = lines;
  };
  const timer = setInterval(() => show(frame(roomOf(stream))), REPAINT_MS);
  const clear = () => {
    if (shown.length > 0) stream.write(erasure(shown));
    shown = [];
  };
  const stop = () => {
    clearInterval(timer);
    clear();
  };
  return { clear, stop };
}

/** A live view where there is no terminal to draw on. */
export const NOT_LIVE: Live = { clear: () => {}, stop: () => {} };

/** The last column and row stay free, so that the terminal neither wraps nor scrolls. */
function roomOf(stream: OutputStream): Room {
  return { columns: columnsOf(stream) - 1, rows: (stream.rows || USUAL_ROWS) - 1 };
}

/** To the start of the first line, and everything from there away (ECMA-48: CUU, ED). */
function erasure(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const up = lines.length - 1;
  return `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`;
}

/** A line of cells that stand side by side. */
export type Line = readonly Cell[];

/** A line, painted and safe to print, cut where there is no more room. */
export function cutLine(line: Line, columns: number, paint: Paint): string {
  const isCut = lengthOf(line) > columns;
  const dots = isCut && columns > DOTS.length ? DOTS : '';
  let room = Math.max(0, columns - dots.length);
  const shown = line.map(({ text, style = 'plain' }) => {
    const part = printable(text).slice(0, room);
    room -= part.length;
    return part === '' ? '' : paint(part, style);
  });
  return `${shown.join('')}${dots}`;
}

const DOTS = '...';

function lengthOf(line: Line): number {
  return line.reduce((sum, { text }) => sum + printable(text).length, 0);
}

/** In front of what did not fit into the line before. */
const HANGING = '        ';

/** A line, painted and safe to print, that goes on in further lines where there is no more room. */
export function foldLine(line: Line, columns: number, paint: Paint): string {
  if (lengthOf(line) <= columns) return cutLine(line, columns, paint);
  let column = 0;
  return line
    .flatMap(({ text, style = 'plain' }) => piecesOf(printable(text)).map((piece) => ({ piece, style })))
    .map(({ piece, style }) => {
      const fits = column + piece.trimEnd().length <= columns || column <= HANGING.length;
      const shown = fits ? piece : piece.trimStart();
      column = fits ? column + shown.length : HANGING.length + shown.length;
      return `${fits ? '' : `\n${HANGING}`}${shown.trim() === '' ? shown : paint(shown, style)}`;
    })
    .join('');
}

/** Words, each with the blanks before it. */
function piecesOf(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}
