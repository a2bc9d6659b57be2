import type { Progress } from '../../progress/progress.ts';
import { softwareLine } from '../../reading/software-line.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import { bothReadingsWords } from '../../reading/validated/validation-words.ts';
import type { Detail } from '../../reading/words/shortened.ts';
import type { Paint } from '../../report/table/table.ts';
import { cutLine, foldLine, type Line } from './line.ts';
import type { Room } from './live.ts';
import { awaitedLines, headline } from './summary-frame.ts';
import { zoneLines } from './zone-lines.ts';

/** How the frames of a run look. */
interface FrameLook {
  readonly paint: Paint;
  readonly detail: Detail;
}

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

/** The same for good, once the run has ended: nothing is left out, and long lines are folded. */
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

function footLines({ summary, complete, list }: Progress): readonly Line[] {
  const lines: Line[] = [];
  if (summary.length > 0) {
    const title = complete === undefined ? 'so far    ' : 'ends in   ';
    lines.push([{ text: title, style: 'faint' }, { text: summaryLine(summary, 'terse') }]);
    const warm = complete?.warm;
    if (warm !== undefined)
      lines.push([{ text: 'once warm ', style: 'faint' }, { text: summaryLine(warm.summary, 'terse') }]);
    const validating = complete?.validating;
    if (validating !== undefined)
      lines.push([{ text: 'validated ', style: 'faint' }, { text: bothReadingsWords(validating, 'terse') }]);
  }
  if (list !== undefined && list.servers.length > 0) {
    lines.push([{ text: 'software  ', style: 'faint' }, { text: softwareLine(list.servers) }]);
  }
  return lines;
}
