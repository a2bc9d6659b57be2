import { questionKey } from '../../dns/message.ts';
import { count, time } from '../../document/words/quantities.ts';
import { type Paint, painter } from '../../report/text/table.ts';
import type { Progress } from '../../report/views/progress.ts';
import { type ColourFlag, canRepaint, colourFor, type Io, marksFor } from '../process/io.ts';
import { cutLine, type Line, type Live, NOT_LIVE, type Room, showLive } from './live.ts';

/** A run in a few lines: how far it is, and what it waits for. Pure, and safe to print. */
export function summaryFrame(
  progress: Progress,
  elapsedMs: number,
  { columns }: Room,
  paint: Paint,
): readonly string[] {
  const lines = [headline(progress, elapsedMs), ...awaitedLines(progress)];
  return lines.map((line) => cutLine(line, columns, paint));
}

/** Shows on stderr how far a run is, if that is a terminal. */
export function showProgress(progress: Progress, flag: ColourFlag, { stderr, env }: Io): Live {
  if (!canRepaint(stderr, env)) return NOT_LIVE;
  const paint = painter(colourFor(flag, stderr, env), marksFor(env));
  const elapsed = () => performance.now() - progress.startedAt;
  return showLive(stderr, (room) => summaryFrame(progress, elapsed(), room, paint));
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

/** The server that holds things up most, and which try it is. */
export function awaitedLines({ waits, question }: Progress): readonly Line[] {
  const [longest, ...others] = waits.all;
  if (longest === undefined) return [];
  const { name, address, tries } = longest;
  const isAsked = question !== undefined && questionKey(question) === questionKey(longest.question);
  const words = [
    `waiting for ${name === undefined ? address : `${name} ${address}`}`,
    ...(isAsked ? [] : [questionKey(longest.question)]),
    ...(tries === 0 ? [] : [`try ${tries}`]),
    ...(others.length === 0 ? [] : [`and ${count(others.length, 'other')}`]),
  ];
  return [[{ text: words.join(', '), style: 'faint' }]];
}
