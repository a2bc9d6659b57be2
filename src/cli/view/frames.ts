import { summaryLine } from '../../reading/summary-line.ts';
import { count, time } from '../../reading/words/quantities.ts';
import type { Detail } from '../../reading/words/shortened.ts';
import type { Paint } from '../../report/table/table.ts';
import { cutLine, foldLine, type Line } from './line.ts';
import type { Room } from './live.ts';
import type { Progress } from './progress.ts';
import { softwareLine } from './software-line.ts';
import { zoneLines } from './zone-lines.ts';

/** How a frame looks, wherever it is drawn. */
export interface FrameLook {
  readonly paint: Paint;
  readonly detail: Detail;
}

/** A run in a few lines: how far it is, what it waits for, and how paths end so far. Pure, and safe to print. */
export function summaryFrame(progress: Progress, elapsedMs: number, { columns }: Room, paint: Paint) {
  const lines = [headline(progress, elapsedMs), ...awaitedLines(progress), ...soFarLines(progress)];
  return lines.map((line) => cutLine(line, columns, paint));
}

/** A run with the zones it has reached, in lines that fit the room. Pure, and safe to print. */
export function zonesFrame(progress: Progress, elapsedMs: number, room: Room, { paint, detail }: FrameLook) {
  const head = [headline(progress, elapsedMs), ...awaitedLines(progress)];
  const foot = footLines(progress);
  const body = zoneLines(progress, detail, room.rows - head.length - foot.length);
  return [...head, ...body, ...foot].map((line) => cutLine(line, room.columns, paint));
}

/** The same for good, once the run has ended: nothing is left out, long lines are folded. */
export function lastFrame(
  progress: Progress,
  elapsedMs: number,
  columns: number,
  { paint, detail }: FrameLook,
) {
  const body = zoneLines(progress, detail, Number.POSITIVE_INFINITY);
  const lines = [headline(progress, elapsedMs), ...body, ...footLines(progress)];
  return lines.map((line) => foldLine(line, columns, paint));
}

/** One line on how far a run is. */
export function headline(progress: Progress, elapsedMs: number): Line {
  const { question, connection } = progress;
  const title = question === undefined ? 'waiting for its turn' : `${question.name} ${question.type}`;
  const stage = question === undefined ? '' : `  ${stageOf(progress)}`;
  const lost: Line = connection === 'lost' ? [{ text: '  connection lost, trying again', style: 'bad' }] : [];
  return [
    { text: title, style: 'strong' },
    { text: `${stage}, ${time(elapsedMs)}`, style: 'faint' },
    ...lost,
  ];
}

function stageOf({ heard, awaited, complete, list, identified }: Progress): string {
  const replies = count(heard, 'reply', 'replies');
  if (list !== undefined) return `${replies}, ${count(identified, 'server')} identified`;
  if (complete === undefined) return `${replies}, ${awaited} awaited`;
  if (complete.status !== 'complete') return `${replies}, ${complete.status}`;
  return identified === 0
    ? `${replies}, asking the servers who they are`
    : `${replies}, ${count(identified, 'server')} identified so far`;
}

/** The servers that hold things up, and which try it is. */
function awaitedLines({ openTries }: Progress): readonly Line[] {
  const [longest] = openTries;
  if (longest === undefined) return [];
  const { address, question, number } = longest;
  const others = openTries.length === 1 ? '' : ` and ${openTries.length - 1} more`;
  const which = `${address} for ${question.name} ${question.type}`;
  return [[{ text: `waiting for ${which}, try ${number}${others}`, style: 'faint' }]];
}

function soFarLines({ summary }: Progress): readonly Line[] {
  return summary.length === 0 ? [] : [[{ text: `so far ${summaryLine(summary, 'terse')}` }]];
}

function footLines({ summary, complete, list }: Progress): readonly Line[] {
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
