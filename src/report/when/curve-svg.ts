import type { ChangeRow, Times } from '../../document/when.ts';
import { momentWords } from '../../document/words/moments.ts';
import { asked } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import { FONT_FAMILY, INK, PALETTE } from '../diagram.ts';
import { escaped } from '../junit.ts';
import { along, curvesOf, replacedWords, spanOf } from './old-end-curves.ts';
import { sameUsers } from './times-text.ts';

/**
 * Draws the share of users who still get an old end, over time: a chart for each old end, one below the other, with a line
 * for each group of products. Moments are in `timeZone` (absent: the local one) and UTC. Texts from servers are escaped.
 */
export function curveSvg(times: Times, now: Date, timeZone?: string): string {
  const { changes = [], dangers = [] } = times;
  const height = TITLE + Math.max(1, changes.length) * CHART;
  const pictures = changes.map((change, at) => chart(change, TITLE + at * CHART, { now, timeZone }));
  const nothing =
    changes.length === 0 ? [words(LEFT, TITLE + 20, `${sameUsers(dangers)} get the same as before`)] : [];
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

function chart(change: ChangeRow, y: number, { now, timeZone }: Zoned): string {
  const curves = curvesOf(change);
  const span = spanOf(curves);
  const x = (at: string) => LEFT + (WIDTH - LEFT - RIGHT) * along(span, Date.parse(at));
  const level = (share: number) => y + TOP + HIGH * (1 - share);
  const grid = [0, 0.5, 1].map(
    (share) =>
      `<path d="M${LEFT} ${level(share)}H${WIDTH - RIGHT}" stroke="#c9ced3"/>${words(LEFT - 8, level(share) + 4, `${share * 100} %`, 'end')}`,
  );
  const lines = curves.map(({ products, points, line: { effect, dashes } }, at) => {
    const path = points.map((point) => `${round(x(point.at))},${round(level(point.share))}`);
    const stroke = `stroke="${PALETTE[effect].line}" stroke-width="2" fill="none" stroke-dasharray="${dashes}"`;
    const key = y + TOP + 14 + at * 18;
    return [
      `<polyline points="${path.join(' ')}" ${stroke}><title>${escaped(products)}</title></polyline>`,
      `<path d="M${WIDTH - RIGHT - 250} ${key - 4}h30" ${stroke}/>`,
      words(WIDTH - RIGHT - 212, key, products),
    ].join('');
  });
  const below = y + TOP + HIGH + 22;
  return [
    words(LEFT, y + 22, replacedWords(change)),
    ...grid,
    ...lines,
    words(LEFT, below, momentWords(new Date(span.start), now, timeZone)),
    words(WIDTH - RIGHT, below, momentWords(new Date(span.end), now, timeZone), 'end'),
  ].join('\n');
}

function words(x: number, y: number, text: string, anchor = 'start'): string {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `<text x="${x}" y="${round(y)}" text-anchor="${anchor}">${escaped(printable(shown))}</text>`;
}

/** In characters. */
const LONGEST = 100;

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
