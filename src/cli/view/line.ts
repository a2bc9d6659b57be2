import { printable } from '../../reading/words/printable.ts';
import type { Cell, Paint } from '../../report/table/table.ts';

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
