import { grouped } from '../../document/words/lists.ts';
import { count } from '../../document/words/quantities.ts';
import { add, compare, ZERO } from '../../evaluate/fraction.ts';
import type { Arrow, Box, BoxKind } from '../diagram.ts';
import type { Effect } from '../views/effects.ts';

/**
 * Folds the least probable boxes into one if there is no room for all; ends into one for each effect.
 * What enters a box still leaves it: only paths between folded boxes are hidden.
 */
export function folded({ boxes, arrows }: Drawn, room: BoxRoom): Drawn {
  const out = new Map<string, string>();
  for (const { key, effect } of lessProbableEnds(boxes, room.ends)) out.set(key, `folded ends ${effect}`);
  for (const { key } of lessProbable({ boxes, arrows }, room.others)) out.set(key, 'folded');
  if (out.size === 0) return { boxes, arrows };
  const shown = mergedArrows(arrows, (key) => out.get(key) ?? key);
  const kept = boxes.filter(({ key }) => !out.has(key));
  return { boxes: [...kept, ...foldedBoxes(boxes, out, shown)], arrows: shown };
}

/** Boxes and the arrows between them. */
export interface Drawn {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** The most boxes that are shown. */
interface BoxRoom {
  readonly ends: number;
  readonly others: number;
}

function lessProbableEnds(boxes: readonly Box[], room: number): readonly Box[] {
  const ends = boxes.filter(({ kind }) => kind === 'end');
  return ends.sort((a, b) => compare(b.probability, a.probability)).slice(room);
}

/**
 * All but the most probable boxes before the ends. The picture grows from where paths begin, so that it
 * stays connected, by one whole path at a time: a few complete paths tell more than the beginnings of all.
 */
function lessProbable({ boxes, arrows }: Drawn, room: number): readonly Box[] {
  const others = boxes.filter(({ kind }) => kind !== 'end');
  if (others.length <= room) return [];
  const byKey = new Map(others.map((box) => [box.key, box]));
  const onward = grouped(arrows, ({ from }) => from);
  const next = new Map(onward.map((own) => [own[0].from, own.flatMap(({ to }) => byKey.get(to) ?? [])]));
  const ahead = new Set(others.slice(0, 1));
  const shown = new Set<Box>();
  while (shown.size < room && ahead.size > 0) {
    let box = mostProbable([...ahead]);
    while (box !== undefined && shown.size < room) {
      ahead.delete(box);
      shown.add(box);
      const further: readonly Box[] = (next.get(box.key) ?? []).filter((one) => !shown.has(one));
      for (const one of further) ahead.add(one);
      box = mostProbable(further);
    }
  }
  return others.filter((box) => !shown.has(box));
}

function mostProbable([first, ...others]: readonly Box[]): Box | undefined {
  return first && others.reduce((a, b) => (compare(b.probability, a.probability) > 0 ? b : a), first);
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
    const probability = arriving.reduce(add, ZERO);
    return [{ key, ...looksOf(first, inside), folds: inside.length, probability }];
  });
}

function looksOf(first: Box, inside: readonly Box[]): Pick<Box, 'kind' | 'effect' | 'lines'> {
  if (first.kind === 'end') {
    const lines = [count(inside.length, END_WORDS[first.effect])];
    return { kind: 'end', effect: first.effect, lines };
  }
  const kinds = [...new Set(inside.map(({ kind }) => kind))];
  const lines = kinds.map((kind) => KIND_WORDS[kind](inside.filter((box) => box.kind === kind).length));
  return { kind: 'folded', effect: 'leads-on', lines: ['left out:', ...lines] };
}

const END_WORDS: Readonly<Record<Effect, string>> = {
  'leads-on': 'other end',
  'ends-well': 'other answer',
  differs: 'other answer',
  denies: 'other negative answer',
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
