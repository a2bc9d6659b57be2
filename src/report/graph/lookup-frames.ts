import { divide } from '../../evaluate/fraction.ts';
import { grouped } from '../../reading/grouped.ts';
import type { ResultIndex } from '../../reading/result-index.ts';
import type { LookupView } from '../../reading/steps/lookup-views.ts';
import type { Name } from '../../wire/name.ts';
import { shapeOf, together } from './alike.ts';
import { shorteningForBoxes } from './box-lines.ts';
import { type Drawn, folded } from './fold.ts';
import { onTheWay } from './on-the-way.ts';
import { sketchWalks, type WalkSketch, type Walks } from './sketch-walks.ts';

/** One drawing for lookups that are alike. */
export interface FrameSketch {
  readonly lookups: readonly LookupView[];
  /** Key of the box where they begin. */
  readonly start: string;
  readonly drawn: Drawn;
  /** Names looked up in turn, by the key of the box that needs them. */
  readonly needs: WalkSketch['needs'];
}

/** The most boxes for one lookup. */
const ROOM = { ends: 5, others: 12 };

/** Draws lookups, with one drawing for those that went the same way. */
export function sketchFrames(lookups: readonly LookupView[], index: ResultIndex): readonly FrameSketch[] {
  const drawings = lookups.map((lookup) => {
    const { sketch, start, needs } = sketchWalks(walksOf(lookup), index);
    return { lookup, start, needs, drawn: onTheWay(folded(sketch, ROOM), needs) };
  });
  return grouped(drawings, ({ drawn, lookup }) => shapeOf(drawn, lookup.question.name)).map((alike) => {
    const [first, ...others] = alike;
    const drawn = together([first.drawn, ...others.map((other) => other.drawn)]);
    return { lookups: alike.map(({ lookup }) => lookup), start: first.start, drawn, needs: needsOf(alike) };
  });
}

/** The walks of a lookup, with weights as if every path made it. */
function walksOf({ question, begins, weight, judge, addresses }: LookupView): Walks {
  const all = weight();
  const relative = begins.map((begin) => ({ ...begin, weight: () => divide(begin.weight(), all) }));
  return { question, begins: relative, judge, shorten: shorteningForBoxes(addresses) };
}

type Drawing = Pick<FrameSketch, 'drawn' | 'needs'>;

/** The needs of the boxes of the first drawing and of their counterparts in the others. */
function needsOf(alike: readonly [Drawing, ...Drawing[]]): FrameSketch['needs'] {
  return new Map(
    alike[0].drawn.boxes.map(({ key }, at) => {
      const names = alike.flatMap(({ drawn, needs }) => [...(needs.get(drawn.boxes[at]?.key ?? key) ?? [])]);
      return [key, new Set<Name>(names)];
    }),
  );
}
