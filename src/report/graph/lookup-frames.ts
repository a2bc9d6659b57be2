import { type Name, ROOT } from '../../dns/name.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { divide, fractionText } from '../../evaluate/fraction.ts';
import type { Arrow, Box } from '../diagram.ts';
import type { LookupView } from '../views/lookups.ts';
import type { ResultIndex } from '../views/result-index.ts';
import { fitting, shorteningForBoxes } from './box-lines.ts';
import { type Drawn, folded } from './fold.ts';
import { sketchWalks, type WalkSketch, type Walks } from './walks.ts';

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

/** The walks of a lookup, with weights as if every path made it. */
function walksOf({ question, begins, weight, effectOf, addresses }: LookupView): Walks {
  const all = weight();
  const relative = begins.map((begin) => ({ ...begin, weight: () => divide(begin.weight(), all) }));
  return {
    question,
    begins: relative,
    effectOf,
    shorten: shorteningForBoxes(addresses),
    security: NOT_VALIDATED,
  };
}

/** The addresses of name servers need no proof: svc-model(7), VALIDATING. */
const NOT_VALIDATED: Walks['security'] = new Map();

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

/**
 * A text that is equal for drawings of lookups that went the same way through the same servers with
 * equal probabilities. Such drawings differ only in the name and type asked for and in what was found.
 */
function shapeOf({ boxes, arrows }: Drawn, name: Name): string {
  const places = new Map(boxes.map(({ key }, at) => [key, at]));
  const shareOf = (arrow: Arrow) => (arrow.kind === 'path' ? fractionText(arrow.probability) : '');
  const general = (line: string) => line.replaceAll(name, '*').replace(/\bAAAA\b/g, 'A');
  return JSON.stringify([
    boxes.map((box) => [box.kind, box.effect, isFound(box) ? '' : general(box.lines.join(' '))]),
    arrows.map((arrow) => [places.get(arrow.from), places.get(arrow.to), shareOf(arrow)]),
  ]);
}

/** Merges drawings of one shape into one that shows the differences. */
function together([first, ...others]: readonly [Drawn, ...Drawn[]]): Drawn {
  const boxes = first.boxes.map((box, at) => {
    const alike = [box, ...others.flatMap((other) => other.boxes[at] ?? [])];
    return { ...box, lines: distinct(alike.map(({ lines }) => lines)) };
  });
  return { boxes, arrows: first.arrows };
}

/** The most variants that are shown. */
const VARIANTS = 4;

function distinct(variants: readonly (readonly string[])[]): readonly string[] {
  const all = [...new Map(variants.map((lines) => [lines.join('\n'), lines])).values()];
  const more = all.length - VARIANTS;
  return [...all.slice(0, VARIANTS).flat(), ...(more > 0 ? [`and ${more} more`] : [])];
}

function isFound({ kind, effect }: Box): boolean {
  return kind === 'end' && effect === 'ends-well';
}

/** How many zones on the way are named. */
const NAMED = 6;

/**
 * The drawing of a lookup with a single box for successive zones whose servers all passed the question
 * on. The main walk already shows most of them, and the others do not matter to the lookup.
 */
function onTheWay(drawn: Drawn, needs: WalkSketch['needs']): Drawn {
  const rows = rowsIn(drawn, needs).filter(({ length }) => length > 1);
  const first = new Map(
    rows.flatMap(([head, ...rest]) => rest.map((box) => [box.key, head?.key ?? box.key])),
  );
  const place = (key: string) => first.get(key) ?? key;
  const rowOf = new Map(rows.map((row) => [row[0]?.key, row]));
  return {
    boxes: drawn.boxes
      .filter(({ key }) => !first.has(key))
      .map((box) => {
        const row = rowOf.get(box.key);
        if (row === undefined) return box;
        return { ...box, lines: wayLines(row.flatMap(({ zone }) => zone ?? [])) };
      }),
    arrows: drawn.arrows
      .map((arrow): Arrow => ({ ...arrow, from: place(arrow.from), to: place(arrow.to) }))
      .filter(({ from, to }) => from !== to),
  };
}

function wayLines(zones: readonly Name[]): readonly string[] {
  const below = zones.filter((zone) => zone !== ROOT);
  return fitting([`through ${below.length === 0 ? 'the root' : listed(below, NAMED)}`]);
}

/** Runs of boxes that a single path leads through. */
function rowsIn({ boxes, arrows }: Drawn, needs: WalkSketch['needs']): readonly (readonly Box[])[] {
  const ways = arrows.filter(({ kind }) => kind === 'path');
  const from = (key: string) => ways.filter((arrow) => arrow.from === key);
  const to = (key: string) => ways.filter((arrow) => arrow.to === key);
  const isPassage = (box: Box) =>
    box.zone !== undefined && box.effect === 'leads-on' && !needs.has(box.key) && from(box.key).length === 1;
  const passages = new Map(boxes.filter(isPassage).map((box) => [box.key, box]));
  const after = (box: Box) => {
    const next = passages.get(from(box.key)[0]?.to ?? '');
    return next !== undefined && to(next.key).length === 1 ? next : undefined;
  };
  const followers = new Set([...passages.values()].map((box) => after(box)));
  return [...passages.values()]
    .filter((box) => !followers.has(box))
    .map((head) => {
      const row = [head];
      for (let next = after(head); next !== undefined; next = after(next)) row.push(next);
      return row;
    });
}
