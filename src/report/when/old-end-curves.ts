import type { ChangeRow } from '../../document/when.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import type { Effect } from '../views/effects.ts';
import { contentTerm } from '../views/wording.ts';
import { productWords } from './moves.ts';

/** The share of users who still get an old end, over time, for products that are alike. */
export interface Curve extends Pick<ChangeRow['profiles'][number], 'lastAt' | 'points' | 'why'> {
  /** "X and Y", "all products" */
  readonly products: string;
  readonly line: LineLook;
}

/** Lines differ in colour and in dashes, for readers who cannot tell the colours apart. */
interface LineLook {
  /** The colour of this effect. */
  readonly effect: Effect;
  /** As the SVG attribute `stroke-dasharray`. */
  readonly dashes: string;
}

const LINES: readonly [LineLook, ...LineLook[]] = [
  { effect: 'differs', dashes: 'none' },
  { effect: 'fails', dashes: '8 4' },
  { effect: 'ends-well', dashes: '2 3' },
  { effect: 'denies', dashes: '10 3 2 3' },
];

/** The curves of an old end, one for each group of products that are alike. */
export function curvesOf({ profiles }: Pick<ChangeRow, 'profiles'>): readonly Curve[] {
  const alike = grouped(profiles, ({ lastAt, points }) => `${lastAt} ${JSON.stringify(points)}`);
  return alike.map((same, at) => {
    const [{ lastAt, points, why }] = same;
    const products = alike.length === 1 ? 'all products' : productWords(same.map(({ name }) => name));
    return { products, lastAt, points, why, line: LINES[at % LINES.length] ?? LINES[0] };
  });
}

/** "192.0.2.1, replaced by 192.0.2.2" */
export function replacedWords({ before, after }: Pick<ChangeRow, 'before' | 'after'>): string {
  return `${contentTerm(before)}, replaced by ${listed(after.map((end) => contentTerm(end)))}`;
}

/** From the first moment of some curves to the last one, in milliseconds since 1970. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The span of curves that are drawn together. */
export function spanOf(curves: readonly Pick<Curve, 'points'>[]): Span {
  const moments = curves.flatMap(({ points }) => points.map(({ at }) => Date.parse(at)));
  return { start: Math.min(...moments), end: Math.max(...moments) };
}

/** How far along a span a moment is: 0 at its start, 1 at its end. */
export function along({ start, end }: Span, ms: number): number {
  return end > start ? (ms - start) / (end - start) : 0;
}
