import type { ChangeRow, Times } from '../../document/when.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { momentWords } from '../../document/words/moments.ts';
import { asked } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import { FONT_FAMILY, INK, PALETTE } from '../diagram.ts';
import { escaped } from '../junit.ts';
import { contentTerm } from '../views/wording.ts';
import { productWords } from './moves.ts';

/**
 * Draws the share of users who still get an old end, over time: a chart for each old end, one below the other, with a line
 * for each group of products. Moments are in `timeZone` (absent: the local one) and UTC. Texts from servers are escaped.
 */
export function curveSvg(times: Times, now: Date, timeZone?: string): string {
  const { changes = [] } = times;
  const height = TITLE + Math.max(1, changes.length) * CHART;
  const pictures = changes.map((change, at) => chart(change, TITLE + at * CHART, { now, timeZone }));
  const nothing = changes.length === 0 ? [words(LEFT, TITLE + 20, 'users get the same as before')] : [];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="${FONT_FAMILY}" font-size="13" fill="${INK}" role="img">`,
    `<title>${escaped(printable(`users of ${asked(times.query)} who get an old answer`))}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    words(LEFT, 24, `${asked(times.query)}: users who still get the old answer`),
    ...pictures,
    ...nothing,
    '</svg>\n',
  ].join('\n');
}

const WIDTH = 760;
const TITLE = 40;
const CHART = 300;
const LEFT = 60;
const RIGHT = 20;
const TOP = 46;
const HIGH = 180;

interface Zoned {
  readonly now: Date;
  readonly timeZone: string | undefined;
}

function chart({ before, after, profiles }: ChangeRow, y: number, zoned: Zoned): string {
  const alike = grouped(profiles, ({ lastAt, points }) => `${lastAt} ${JSON.stringify(points)}`);
  const moments = profiles.flatMap(({ points }) => points.map(({ at }) => Date.parse(at)));
  const [start, end] = [Math.min(...moments), Math.max(...moments)];
  const wide = WIDTH - LEFT - RIGHT;
  const x = (ms: number) => LEFT + (end > start ? (wide * (ms - start)) / (end - start) : 0);
  const level = (share: number) => y + TOP + HIGH * (1 - share);
  const grid = [0, 0.5, 1].map(
    (share) =>
      `<path d="M${LEFT} ${level(share)}H${WIDTH - RIGHT}" stroke="#c9ced3"/>${words(LEFT - 8, level(share) + 4, `${share * 100} %`, 'end')}`,
  );
  const lines = alike.map((same, at) => {
    const [{ name, points }] = same;
    const path = points.map((point) => `${round(x(Date.parse(point.at)))},${round(level(point.share))}`);
    const names =
      alike.length === 1 ? 'all products' : productWords([name, ...same.slice(1).map((one) => one.name)]);
    const dashes = DASHES[at % DASHES.length];
    const colour = LINES[at % LINES.length];
    const stroke = `stroke="${colour}" stroke-width="2" fill="none" stroke-dasharray="${dashes}"`;
    const key = y + TOP + 14 + at * 18;
    return [
      `<polyline points="${path.join(' ')}" ${stroke}><title>${escaped(names)}</title></polyline>`,
      `<path d="M${WIDTH - RIGHT - 250} ${key - 4}h30" ${stroke}/>`,
      words(WIDTH - RIGHT - 212, key, names),
    ].join('');
  });
  const instead = listed(after.map((end) => contentTerm(end)));
  return [
    words(LEFT, y + 22, `${contentTerm(before)}, replaced by ${instead}`),
    ...grid,
    ...lines,
    words(LEFT, y + TOP + HIGH + 22, momentWords(new Date(start), zoned.now, zoned.timeZone)),
    words(WIDTH - RIGHT, y + TOP + HIGH + 22, momentWords(new Date(end), zoned.now, zoned.timeZone), 'end'),
  ].join('\n');
}

/** Lines differ in colour and in dashes, for readers who cannot tell the colours apart. */
const LINES = [PALETTE.differs.line, PALETTE.fails.line, PALETTE['ends-well'].line, PALETTE.denies.line];
const DASHES = ['none', '8 4', '2 3', '10 3 2 3'];

function words(x: number, y: number, text: string, anchor = 'start'): string {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `<text x="${x}" y="${round(y)}" text-anchor="${anchor}">${escaped(printable(shown))}</text>`;
}

/** In characters. */
const LONGEST = 100;

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
