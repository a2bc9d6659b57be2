import { add, compare, type Fraction } from '../../evaluate/fraction.ts';
import type { Bearing } from '../text/doing.ts';
import { count } from '../text/words.ts';
import type { Arrow, Box, BoxKind } from './diagram.ts';

/** Boxes and the arrows between them. */
export interface Drawn {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** At most so many boxes. */
export interface Room {
  readonly ends: number;
  readonly others: number;
}

/**
 * Folds the least probable boxes into one where there are more than there is room for; ends into one
 * for each bearing. What goes in and out of a box is still all of what comes to it: paths between
 * folded boxes are out of sight.
 */
export function folded({ boxes, arrows }: Drawn, room: Room): Drawn {
  const ends = boxes.filter(({ kind }) => kind === 'end');
  const others = boxes.filter(({ kind }) => kind !== 'end');
  const out = new Map<string, string>();
  for (const { key, bearing } of lessProbable(ends, room.ends)) out.set(key, `folded ends ${bearing}`);
  for (const { key } of lessProbable(others, room.others)) out.set(key, 'folded');
  if (out.size === 0) return { boxes, arrows };
  const shown = mergedArrows(arrows, (key) => out.get(key) ?? key);
  const kept = boxes.filter(({ key }) => !out.has(key));
  return { boxes: [...kept, ...foldedBoxes(boxes, out, shown)], arrows: shown };
}

function lessProbable(boxes: readonly Box[], room: number): readonly Box[] {
  return [...boxes].sort((a, b) => compare(b.probability, a.probability)).slice(room);
}

function mergedArrows(arrows: readonly Arrow[], place: (key: string) => string): readonly Arrow[] {
  const merged = new Map<string, Arrow>();
  for (const arrow of arrows) {
    const [from, to] = [place(arrow.from), place(arrow.to)];
    if (from === to) continue;
    const key = `${arrow.kind}\n\n${from}\n\n${to}`;
    const known = merged.get(key);
    if (arrow.kind !== 'path' || known?.kind !== 'path') merged.set(key, { ...arrow, from, to });
    else merged.set(key, { ...known, probability: add(known.probability, arrow.probability) });
  }
  return [...merged.values()];
}

function foldedBoxes(
  boxes: readonly Box[],
  out: ReadonlyMap<string, string>,
  arrows: readonly Arrow[],
): readonly Box[] {
  return [...new Set(out.values())].flatMap((key) => {
    const inside = boxes.filter((box) => out.get(box.key) === key);
    const [first] = inside;
    if (first === undefined) return [];
    const arriving = arrows.flatMap((arrow) =>
      arrow.kind === 'path' && arrow.to === key ? arrow.probability : [],
    );
    return [{ key, ...looksOf(first, inside), ...frameOf(first), probability: arriving.reduce(add, NONE) }];
  });
}

const NONE: Fraction = { numerator: 0n, denominator: 1n };

function looksOf(first: Box, inside: readonly Box[]): Pick<Box, 'kind' | 'bearing' | 'lines'> {
  if (first.kind === 'end') {
    const lines = [count(inside.length, END_WORDS[first.bearing])];
    return { kind: 'end', bearing: first.bearing, lines };
  }
  const kinds = [...new Set(inside.map(({ kind }) => kind))];
  const lines = kinds.map((kind) => KIND_WORDS[kind](inside.filter((box) => box.kind === kind).length));
  return { kind: 'folded', bearing: 'leads-on', lines: ['left out:', ...lines] };
}

const END_WORDS: Readonly<Record<Bearing, string>> = {
  'leads-on': 'other end',
  'ends-well': 'other answer',
  differs: 'other answer',
  fails: 'other failure',
  unknown: 'other unknown end',
};

const KIND_WORDS: Readonly<Record<BoxKind, (boxes: number) => string>> = {
  question: (boxes) => count(boxes, 'alias target'),
  zone: (boxes) => count(boxes, 'delegation'),
  servers: (boxes) => count(boxes, 'group of servers', 'groups of servers'),
  end: (boxes) => count(boxes, 'end'),
  lookup: (boxes) => count(boxes, 'lookup'),
  folded: (boxes) => count(boxes, 'other'),
};

function frameOf({ frame }: Box): Pick<Box, 'frame'> {
  return frame === undefined ? {} : { frame };
}
