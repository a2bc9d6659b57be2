import type { ChangeRow, DangerRow, Times } from '../../document/when.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { durationWords, momentWords } from '../../document/words/moments.ts';
import type { Cell, Rows } from '../text/table.ts';
import { contentTerm } from '../views/wording.ts';
import { sumRows, type TimesLook } from './lead-text.ts';
import { productWords } from './moves.ts';

/** Each end that a change replaces, with the share of users who still get it and until when; then the dangers. */
export function changeBlocks(times: Times, look: TimesLook): readonly Rows[] {
  const { changes = [], dangers = [] } = times;
  return [
    changedAtRows(times, look),
    ...(changes.length === 0
      ? [[[{ text: 'users get the same as before: no old answer has to expire' }]]]
      : changes.map((change) => oldEndRows(change, look))),
    dangers.map((one) => dangerRow(one, look)),
  ];
}

function changedAtRows({ at }: Times, { now, timeZone }: TimesLook): Rows {
  const then = new Date(at);
  const ago = now.getTime() - then.getTime();
  const words = ago < 0 ? `in ${durationWords(-ago)}` : ago < 1_000 ? 'now' : `${durationWords(ago)} ago`;
  const verb = ago < 0 ? 'to be changed' : 'changed';
  return [[{ text: `${verb} ${momentWords(then, now, timeZone)}, ${words}`, style: 'faint' }]];
}

/** A row for each product: the share now, and the moments of half, of a tenth and of the last user. */
function oldEndRows({ before, after, profiles }: ChangeRow, look: TimesLook): Rows {
  const instead = listed(after.map((end) => contentTerm(end)));
  const heads = ['', 'still get it now', 'half of them until', 'a tenth until', 'the last until'];
  const alike = grouped(profiles, ({ lastAt, points }) => `${lastAt} ${JSON.stringify(points)}`);
  return [
    [{ text: `${contentTerm(before)}, replaced by ${instead}`, style: 'strong' }],
    heads.map((text) => ({ text, style: 'faint' })),
    ...alike.flatMap((same) => [
      [
        { text: `  ${alike.length === 1 ? 'all products' : productWords(same.map(({ name }) => name))}` },
        ...curveCells(same[0], look),
      ],
      ...sumRows(same[0], look),
    ]),
  ];
}

type Curve = Pick<ChangeRow['profiles'][number], 'lastAt' | 'points'>;

function curveCells({ lastAt, points }: Curve, { now, timeZone }: TimesLook): readonly Cell[] {
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
  const moment = until === null ? '' : momentWords(new Date(until), now, timeZone);
  return [{ text: moment }, { text: message, style: 'bad' }];
}
