import { ONE } from '../../evaluate/fraction.ts';
import type { Name } from '../../wire/name.ts';
import { questionKey } from '../../wire/question.ts';
import { endWords } from '../text/end-words.ts';
import type { Graph } from '../text/graph.ts';
import { grouped } from '../text/group.ts';
import { count, listed } from '../text/words.ts';
import type { Arrow, Box, Frame } from './diagram.ts';
import { type Drawn, folded } from './fold.ts';
import { fitting } from './lines.ts';
import { type Lookup, lookupsIn } from './lookups.ts';
import { paired } from './paired.ts';
import { sketchWalks, type WalkSketch } from './walk.ts';

/** A box with servers whose addresses are looked up. */
export interface Needing {
  readonly box: string;
  readonly names: ReadonlySet<Name>;
}

/** Lookups as they are drawn beside the main walk. */
export interface LookupsDrawn {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  readonly frames: readonly Frame[];
}

/** So many lookups are drawn in full. */
const FRAMES = 6;
const ROOM = { ends: 5, others: 12 };

/** So many boxes show lookups that are not. */
const SUMMARIES = 16;

/** A drawing to which more is added. */
interface Growing {
  readonly graph: Graph;
  readonly ahead: Needing[];
  readonly boxes: Map<string, Box>;
  readonly arrows: Arrow[];
  /** By the lookup's question. */
  readonly frames: Map<string, Frame & { readonly start: string }>;
}

/**
 * Draws the lookups that these boxes need, and the ones needed by those: in full where something in
 * them went wrong, else as one box for all that the same servers need. The first ones are drawn first.
 */
export function drawLookups(needing: readonly Needing[], graph: Graph): LookupsDrawn {
  const lookups = lookupsIn(graph);
  const growing: Growing = { graph, ahead: [...needing], boxes: new Map(), arrows: [], frames: new Map() };
  // Grows while it is walked through.
  for (const { box, names } of growing.ahead) {
    const own = [...names].map((name) => lookups.get(name) ?? []);
    for (const bad of own.map(troubled)) {
      for (const to of drawBad(bad, growing)) growing.arrows.push({ kind: 'lookup', from: box, to });
    }
    const well = own.flat().filter(({ trouble }) => trouble.length === 0);
    if (well.length > 0) growing.arrows.push({ kind: 'lookup', from: box, to: drawWell(well, growing) });
  }
  return { ...growing, boxes: [...growing.boxes.values()], frames: [...new Set(growing.frames.values())] };
}

function troubled(lookups: readonly Lookup[]): readonly Lookup[] {
  return lookups.filter(({ trouble }) => trouble.length > 0);
}

/** Draws the lookups of one name, and says where: together if they are alike. */
function drawBad(lookups: readonly Lookup[], growing: Growing): ReadonlySet<string> {
  const { frames, graph } = growing;
  const [first] = lookups;
  if (first === undefined) return new Set();
  const known = lookups.flatMap(({ question }) => frames.get(questionKey(question)) ?? []);
  if (known.length > 0) return new Set(known.map(({ start }) => start));
  if (frames.size >= FRAMES) return new Set([drawBadSummary(lookups, first, growing)]);
  const [one, other, ...more] = lookups.map((lookup) => sketchedLookup(lookup, graph));
  const pair = one && other && more.length === 0 ? paired(one.drawn, other.drawn) : undefined;
  if (one !== undefined && pair !== undefined)
    return new Set([drawFrame({ ...one, drawn: pair }, lookups, growing)]);
  return new Set(lookups.map((lookup) => drawFrame(sketchedLookup(lookup, graph), [lookup], growing)));
}

interface SketchedLookup extends Pick<WalkSketch, 'start' | 'needs'> {
  readonly drawn: Drawn;
}

function sketchedLookup(lookup: Lookup, graph: Graph): SketchedLookup {
  const { sketch, start, needs } = sketchWalks(lookup, graph);
  return { start, needs, drawn: folded(sketch, ROOM) };
}

/** Puts a frame around the drawing of some lookups; returns the key of the box where they begin. */
function drawFrame(
  { start, needs, drawn }: SketchedLookup,
  lookups: readonly Lookup[],
  growing: Growing,
): string {
  const { ahead, boxes, arrows, frames } = growing;
  const questions = lookups.map(({ question }) => questionKey(question));
  const key = `lookup ${questions.join(' ')}`;
  const inside = (local: string) => `${key}\n${local}`;
  for (const box of drawn.boxes) boxes.set(inside(box.key), { ...box, key: inside(box.key), frame: key });
  for (const arrow of drawn.arrows) arrows.push({ ...arrow, from: inside(arrow.from), to: inside(arrow.to) });
  for (const [box, names] of needs) {
    if (drawn.boxes.some((shown) => shown.key === box)) ahead.push({ box: inside(box), names });
  }
  const frame = { key, title: `lookup of ${namesOf(lookups)}`, start: inside(start) };
  for (const question of questions) frames.set(question, frame);
  return frame.start;
}

function drawBadSummary(lookups: readonly Lookup[], { trouble }: Lookup, growing: Growing): string {
  const names = namesOf(lookups);
  const worst = trouble.slice(0, 1).map((end) => `✗ ${endWords(end)}`);
  return drawSummary({ bearing: 'fails', lines: fitting([`looked up: ${names}`, ...worst]) }, names, growing);
}

function drawWell(lookups: readonly Lookup[], growing: Growing): string {
  const names = grouped(lookups, ({ question }) => question.name).map(namesOf);
  const addresses = [...new Set(lookups.flatMap((one) => one.addresses))];
  const zones = [...new Set(lookups.flatMap((one) => one.zones))];
  const lines = fitting(
    [
      `looked up: ${names.length > NAMED ? count(names.length, 'name') : names.join(', ')}`,
      addresses.length > NAMED ? count(addresses.length, 'address', 'addresses') : addresses.join(', '),
      zones.length === 0 ? '' : `through ${listed(zones, NAMED)}`,
    ].filter((line) => line !== ''),
  );
  return drawSummary({ bearing: 'ends-well', lines }, names.join('\n'), growing);
}

const NAMED = 4;

/** The name of some lookups, and the type where only one is among them. */
function namesOf(lookups: readonly Lookup[]): string {
  const [only, ...others] = lookups.map(({ question }) => question);
  if (only === undefined) return '';
  return others.length > 0 ? only.name : questionKey(only);
}

function drawSummary(looks: Pick<Box, 'bearing' | 'lines'>, name: string, { boxes }: Growing): string {
  const summaries = [...boxes.values()].filter(({ kind }) => kind === 'lookup').length;
  const own = `summary ${name}`;
  if (boxes.has(own)) return own;
  const full = summaries >= SUMMARIES;
  const key = full ? 'more lookups' : own;
  const box = full
    ? { kind: 'folded' as const, bearing: 'leads-on' as const, lines: ['left out: more lookups'] }
    : { kind: 'lookup' as const, ...looks };
  boxes.set(key, { key, ...box, probability: ONE });
  return key;
}
