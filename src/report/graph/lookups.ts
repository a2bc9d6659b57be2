import { questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import { endWords } from '../../document/words/end-words.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { count } from '../../document/words/quantities.ts';
import type { End } from '../../evaluate/end.ts';
import { ONE } from '../../evaluate/fraction.ts';
import type { Arrow, Box, Frame } from '../diagram.ts';
import { type LookupView, lookupsIn, troubleIn } from '../views/lookups.ts';
import type { ResultIndex } from '../views/result-index.ts';
import { fitting } from './box-lines.ts';
import { type FrameSketch, sketchFrames } from './lookup-frames.ts';

/**
 * Draws the lookups that these boxes need, and those that they need in turn: in full if something went
 * wrong in them, otherwise as one box for all that the same servers need. The first come first.
 */
export function drawLookups(needing: readonly Needing[], index: ResultIndex): LookupsDrawn {
  const views = lookupsIn(index).map((view) => ({ ...view, trouble: troubleIn(view, index) }));
  const byName = grouped(views, ({ question }) => question.name);
  const lookups = new Map(byName.map((own) => [own[0].question.name, own]));
  const ahead = [...needing];
  const growing: Growing = {
    ahead,
    boxes: new Map(),
    arrows: [],
    frames: [],
    starts: new Map(),
    rest: new Set(),
  };
  // Grows during the loop.
  for (const { box, names } of ahead) {
    const own = [...names].flatMap((name) => lookups.get(name) ?? []);
    const bad = own.filter(({ trouble }) => trouble.length > 0);
    const well = own.filter(({ trouble }) => trouble.length === 0);
    const starts = [...drawBad(bad, index, growing), ...(well.length > 0 ? [drawWell(well, growing)] : [])];
    for (const to of new Set(starts)) growing.arrows.push({ kind: 'lookup', from: box, to });
  }
  return { ...growing, boxes: [...growing.boxes.values()] };
}

/** A box with servers whose addresses are looked up. */
interface Needing {
  readonly box: string;
  readonly names: ReadonlySet<Name>;
}

/** A lookup that may be drawn. */
interface LookupToDraw extends LookupView {
  /** The ends that yield no address. */
  readonly trouble: readonly End[];
}

/** The drawing of lookups beside the main walk. */
interface LookupsDrawn {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  readonly frames: readonly Frame[];
}

/** The most frames with lookups in full, and the most boxes for the other lookups. */
const FRAMES = 5;
const SUMMARIES = 10;

/** The most names, addresses or zones that a box names, and the most lookups of one box that are compared. */
const NAMED = 4;
const COMPARED = 40;

/** A drawing that grows. */
interface Growing {
  readonly ahead: Needing[];
  readonly boxes: Map<string, Box>;
  readonly arrows: Arrow[];
  readonly frames: Frame[];
  /** Where a lookup's drawing begins, by its question. */
  readonly starts: Map<string, string>;
  /** The keys of boxes for which there was no room. */
  readonly rest: Set<string>;
}

/** Draws the lookups that are not drawn yet, and returns the keys of the boxes where all of them begin. */
function drawBad(lookups: readonly LookupToDraw[], index: ResultIndex, growing: Growing): readonly string[] {
  const unknown = lookups.filter(({ question }) => !growing.starts.has(questionKey(question)));
  const compared = growing.frames.length < FRAMES ? unknown.slice(0, COMPARED) : [];
  for (const sketch of sketchFrames(compared, index)) {
    if (growing.frames.length < FRAMES) drawFrame(sketch, growing);
  }
  return lookups.map((one) => growing.starts.get(questionKey(one.question)) ?? drawBadSummary(one, growing));
}

/** Puts a frame around the drawing of some lookups. */
function drawFrame({ lookups, start, drawn, needs }: FrameSketch, growing: Growing): void {
  const { ahead, boxes, arrows, frames, starts } = growing;
  const questions = lookups.map(({ question }) => questionKey(question));
  const key = `lookup ${questions.join(' ')}`;
  const inside = (local: string) => `${key}\n${local}`;
  for (const box of drawn.boxes) boxes.set(inside(box.key), { ...box, key: inside(box.key), frame: key });
  for (const arrow of drawn.arrows) arrows.push({ ...arrow, from: inside(arrow.from), to: inside(arrow.to) });
  for (const [box, names] of needs) if (names.size > 0) ahead.push({ box: inside(box), names });
  for (const question of questions) starts.set(question, inside(start));
  frames.push({ key, title: `lookup of ${namesOf(lookups)}` });
}

function drawBadSummary(lookup: LookupToDraw, growing: Growing): string {
  const worst = lookup.trouble.slice(0, 1).map((end) => `✗ ${endWords(end)}`);
  const lines = fitting([`looked up: ${namesOf([lookup])}`, ...worst]);
  return drawSummary({ effect: 'fails', lines }, questionKey(lookup.question), growing);
}

function drawWell(lookups: readonly LookupView[], growing: Growing): string {
  const addresses = [...new Set(lookups.flatMap((one) => one.addresses))];
  const zones = [...new Set(lookups.flatMap((one) => one.zones))];
  const lines = fitting([
    `looked up: ${namesOf(lookups)}`,
    addresses.length > NAMED ? count(addresses.length, 'address', 'addresses') : addresses.join(', '),
    zones.length === 0 ? '' : `through ${listed(zones, NAMED)}`,
  ]);
  const name = lookups.map(({ question }) => questionKey(question)).join('\n');
  return drawSummary({ effect: 'ends-well', lines }, name, growing);
}

/** The names of some lookups, and the type where all are of one. */
function namesOf(lookups: readonly LookupView[]): string {
  const names = [...new Set(lookups.map(({ question }) => question.name))];
  const types = [...new Set(lookups.map(({ question }) => question.type))];
  const words = names.length > NAMED ? count(names.length, 'name') : names.join(', ');
  return types.length === 1 ? `${words} ${types.join('')}` : words;
}

function drawSummary(looks: Pick<Box, 'effect' | 'lines'>, name: string, { boxes, rest }: Growing): string {
  const own = `summary ${name}`;
  if (boxes.has(own)) return own;
  const shown = [...boxes.values()].filter(({ kind }) => kind === 'lookup').length;
  if (shown < SUMMARIES) {
    boxes.set(own, { key: own, kind: 'lookup', ...looks, probability: ONE });
    return own;
  }
  const key = 'folded lookups';
  const folds = rest.add(name).size;
  const lines = [count(folds, 'other lookup')];
  boxes.set(key, { key, kind: 'lookup', effect: 'leads-on', lines, folds, probability: ONE });
  return key;
}
