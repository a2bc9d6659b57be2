import { getOrMake } from '../../base/memo.ts';
import type { ChangeRow, DangerRow, Times } from '../../document/when.ts';
import { durationWords, momentWords } from '../../document/words/moments.ts';
import { asked } from '../../document/words/names.ts';
import { blocksText, type Cell, fitted, type Rows } from '../text/table.ts';
import { notCheckedWords } from '../views/wording.ts';
import { leadBlocks, renewalRows, sumRows, type TimesLook } from './lead-text.ts';
import { productWords } from './moves.ts';
import { type Curve, curvesOf, replacedWords } from './old-end-curves.ts';

/**
 * The document as text for people: the times of the change that was made or is planned, if there is such a change, else those
 * of each kind of change. Safe to print, whatever servers sent.
 */
export function timesText(times: Times, look: TimesLook): string {
  const { query, changes, notices, notChecked } = times;
  const left = notCheckedWords(notChecked);
  const blocks = changes === undefined ? leadBlocks(times, look) : changeBlocks(times, look);
  return blocksText(
    [
      [[{ text: asked(query), style: 'strong' }]],
      ...blocks.map((rows) => fitted(rows, look.width)),
      notices.map(({ message }) => [{ text: message, style: 'unknown' }]),
      left === '' ? [] : [[{ text: `Not checked: ${left}`, style: 'faint' }]],
    ],
    look,
  );
}

/** Each end that a change replaces, with the share of users who still get it and until when; then the dangers. */
function changeBlocks(times: Times, look: TimesLook): readonly Rows[] {
  const { changes = [], dangers = [] } = times;
  const rows = (some: readonly DangerRow[]) => some.map((one) => dangerRow(one, look));
  return [
    [changedAtWords(times, look), ...baselineWords(look)].map((text) => [{ text, style: 'faint' }]),
    rows(dangers.filter(({ until }) => until === null)),
    ...(changes.length === 0
      ? [[[{ text: `${sameUsers(dangers)} get the same as before: no old answer has to expire` }]]]
      : changes.map((change) => oldEndRows(change, look))),
    rows(dangers.filter(({ until }) => until !== null)),
  ];
}

/** Those whose answers stay, if no answer is replaced. */
export function sameUsers(dangers: readonly DangerRow[]): string {
  return dangers.some(({ kind }) => kind === 'validation')
    ? 'users of resolvers that do not validate'
    : 'users';
}

/** "changed 13:00:00 (12:00:00 UTC), 1 minute ago" */
export function changedAtWords(
  { at }: Pick<Times, 'at'>,
  { now, timeZone }: Pick<MomentsLook, 'now' | 'timeZone'>,
): string {
  const then = new Date(at);
  const ago = now.getTime() - then.getTime();
  const words = ago < 0 ? `in ${durationWords(-ago)}` : ago < 1_000 ? 'now' : `${durationWords(ago)} ago`;
  const verb = ago < 0 ? 'to be changed' : 'changed';
  return `${verb} ${momentWords(then, now, timeZone)}, ${words}`;
}

function baselineWords({ baseline }: TimesLook): readonly string[] {
  if (baseline === undefined) return [];
  return [`the plan is compared with the result in ${baseline}, not with the answers of today`];
}

/** The moments that the text of a change names. */
type MomentsLook = Pick<TimesLook, 'now' | 'timeZone' | 'sums'>;

function oldEndRows(change: ChangeRow, look: TimesLook): Rows {
  return [[{ text: replacedWords(change), style: 'strong' }], ...curveRows(curvesOf(change), look)];
}

/** The heads of columns, then a row for each curve: the share now, and the moments of half, of a tenth and of the last user. */
export function curveRows(curves: readonly Curve[], look: MomentsLook): Rows {
  const heads = ['', 'still get it now', 'half of them until', 'a tenth until', 'the last until'];
  return [
    heads.map((text) => ({ text, style: 'faint' })),
    ...curves.flatMap((curve) => [
      [{ text: `  ${curve.products}` }, ...curveCells(curve, look)],
      ...(curve.lastAt === null ? renewalRows(curve.why, look) : sumRows(curve, look)),
    ]),
  ];
}

function curveCells({ lastAt, points }: Curve, { now, timeZone }: MomentsLook): readonly Cell[] {
  const still = { text: `${Math.ceil(shareAt(points, now.getTime()) * 100)} %`, style: 'strong' } as const;
  if (lastAt === null) return [still, { text: 'as long as the old servers answer' }];
  const first = points[0]?.share ?? 0;
  const moments = [momentOf(points, first / 2), momentOf(points, first / 10), new Date(lastAt)];
  return [still, ...moments.map((then) => ({ text: momentWords(then, now, timeZone) }))];
}

/** The share at a moment (milliseconds since 1970), by straight lines between the points. */
export function shareAt(points: Curve['points'], ms: number): number {
  const next = points.findIndex(({ at }) => Date.parse(at) > ms);
  const [from, to] = [points[next - 1], points[next]];
  if (next === -1) return points.at(-1)?.share ?? 0;
  if (from === undefined || to === undefined) return points[0]?.share ?? 0;
  const [start, end] = [Date.parse(from.at), Date.parse(to.at)];
  return from.share + ((to.share - from.share) * (ms - start)) / (end - start);
}

/** The moment at which a curve falls to a share. */
function momentOf(points: Curve['points'], share: number): Date {
  const next = points.findIndex((point) => point.share <= share);
  const [from, to = points.at(-1)] = [points[next - 1], points[next]];
  if (to === undefined) return new Date(Number.NaN);
  if (from === undefined) return new Date(to.at);
  const [start, end] = [Date.parse(from.at), Date.parse(to.at)];
  return new Date(start + ((end - start) * (from.share - share)) / (from.share - to.share));
}

function dangerRow({ until, message }: DangerRow, { now, timeZone }: TimesLook): readonly Cell[] {
  const moment = until === null ? 'for good' : momentWords(new Date(until), now, timeZone);
  return [{ text: moment }, { text: message, style: 'bad' }];
}

/** "old answers last up to 5 minutes"; empty if no resolver holds an old answer. */
export function oldAnswerWords({ at, changes = [] }: Times): string {
  const profiles = changes.flatMap((change) => change.profiles);
  const endless = [...new Set(profiles.filter(({ lastAt }) => lastAt === null).map(({ name }) => name))];
  if (endless.length > 0)
    return `old answers last as long as the old servers answer (${productWords(endless)})`;
  const ms = Math.max(0, ...profiles.map(({ lastAt }) => timeUntil(lastAt, at)));
  return ms === 0 ? '' : `old answers last up to ${durationWords(ms)}`;
}

/** A danger that passes, and the time from the change until then in words. */
export interface PassingDanger {
  readonly until: string;
  readonly message: string;
}

/** The dangers that pass, of all names, each once with the longest time, the soonest over first. */
export function passingDangers(times: readonly Times[]): readonly PassingDanger[] {
  const longest = new Map<string, { ms: number }>();
  for (const { at, dangers = [] } of times) {
    for (const { until, message } of dangers.filter(isPassing)) {
      const known = getOrMake(longest, message, () => ({ ms: 0 }));
      known.ms = Math.max(known.ms, timeUntil(until, at));
    }
  }
  return [...longest]
    .sort(([, one], [, other]) => one.ms - other.ms)
    .map(([message, { ms }]) => ({ until: `${durationWords(ms)} later`, message }));
}

/** Those that last are trouble of the planned name itself. */
function isPassing({ until }: DangerRow): boolean {
  return until !== null;
}

/** In milliseconds. */
function timeUntil(moment: string | null, at: string): number {
  return moment === null ? 0 : Date.parse(moment) - Date.parse(at);
}
