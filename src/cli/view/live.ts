import { columnsOf, type OutputStream } from '../process/io.ts';

/** How much room there is to draw in. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** Lines that fit the room, painted: what a live view shows at a moment. */
type LiveFrame = (room: Room) => readonly string[];

/** Lines at the end of a terminal, painted over at an interval until they are stopped. */
export interface Live {
  /** Takes the lines away, to write something else; they come back below it. */
  readonly clear: () => void;
  /** Takes the lines away for good. */
  readonly stop: () => void;
}

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
