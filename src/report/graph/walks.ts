import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import { namelessEndWords } from '../../document/words/end-words.ts';
import { grouped } from '../../document/words/lists.ts';
import type { Shorten } from '../../document/words/shortened.ts';
import type { End } from '../../evaluate/end.ts';
import { add, type Fraction, ONE, sum, ZERO } from '../../evaluate/fraction.ts';
import type { Arrow, Box } from '../diagram.ts';
import type { EffectOf } from '../views/effects.ts';
import { effectOfReply, type PickView } from '../views/picks.ts';
import { type Begin, type Next, type ResultIndex, walked } from '../views/result-index.ts';
import { byQuestion, type StepView, stepViews } from '../views/steps.ts';
import { endLines, fitting, serverLines } from './box-lines.ts';

/** Walks that ask one question, to be drawn. */
export interface Walks {
  readonly question: Question;
  /** Their weights add up to 1. */
  readonly begins: readonly Begin[];
  /** What their ends mean to them. */
  readonly effectOf: EffectOf;
  readonly shorten: Shorten;
  /** The DNSSEC chain at each zone, in lines. */
  readonly security: ReadonlyMap<Name, readonly string[]>;
}

/** Walks as boxes and arrows. */
export interface WalkSketch {
  /** Key of the box where they begin. */
  readonly start: string;
  readonly sketch: Sketch;
  /** Names of servers whose addresses are looked up, by the key of the box they are in. */
  readonly needs: ReadonlyMap<string, ReadonlySet<Name>>;
}

interface Drawing extends WalkSketch {
  readonly needs: Map<string, ReadonlySet<Name>>;
  readonly effectOf: EffectOf;
  readonly shorten: Shorten;
  readonly security: Walks['security'];
}

/** Draws walks. Steps of one delegation and question share a box, however many ways lead there. */
export function sketchWalks(walks: Walks, index: ResultIndex): WalkSketch {
  const { question, begins, effectOf, shorten, security } = walks;
  const sketch = new Sketch();
  const start = drawQuestion(question, '', sketch);
  sketch.begin(start, ONE);
  const drawing = { start, sketch, needs: new Map(), effectOf, shorten, security };
  for (const { leadsTo, weight } of begins) drawPath(start, index.next(leadsTo), question, weight(), drawing);
  for (const view of stepViews(walked(begins, index), byQuestion, index, effectOf)) drawZone(view, drawing);
  return drawing;
}

/** Draws a zone: with its servers inside if all of them did the same, otherwise with a box for each thing they did. */
function drawZone(view: StepView, drawing: Drawing): void {
  const key = zoneKey(view.key);
  const { zone } = view;
  const head = fitting([`zone ${zone}`, view.remark, ...(drawing.security.get(zone) ?? [])]);
  const groups = grouped(view.picks, replyKey);
  const [only, ...others] = groups;
  if (only !== undefined && others.length === 0) {
    const { reply } = only[0];
    const lines = [...head, ...serverLines(only)];
    const box = {
      key,
      kind: 'zone',
      effect: effectOfReply(reply),
      lines,
      zone,
    } as const;
    drawing.sketch.box(box);
    drawReply(key, view, only, drawing);
    return;
  }
  drawing.sketch.box({ key, kind: 'zone', effect: 'leads-on', lines: head });
  for (const group of groups) {
    const own = `${key}\n${replyKey(group[0])}`;
    const { reply } = group[0];
    const lines = serverLines(group);
    const box = {
      key: own,
      kind: 'servers',
      effect: effectOfReply(reply),
      lines,
    } as const;
    drawing.sketch.box(box);
    drawing.sketch.path(key, own, total(group));
    drawReply(own, view, group, drawing);
  }
}

/** Draws where a group of servers leads, and notes the lookups that it needed. */
function drawReply(key: string, { question }: StepView, group: Group, drawing: Drawing): void {
  for (const { next, probability } of group) drawPath(key, next, question, probability(), drawing);
  const needed = group.flatMap((pick) =>
    pick.source === 'lookup' ? pick.name : (nameInSearch(pick.next) ?? []),
  );
  if (needed.length > 0) drawing.needs.set(key, new Set(needed));
}

type Group = readonly [PickView, ...PickView[]];

/** The name whose lookup led back to itself: that lookup is drawn already. */
function nameInSearch(next: Next): Name | undefined {
  return next.kind === 'end' && next.end.kind === 'loop' ? next.end.nameserver : undefined;
}

/** Draws a path to where it continues: to a zone, through a box for the question if that is new, or to an end. */
function drawPath(from: string, to: Next, asked: Question, part: Fraction, drawing: Drawing): void {
  const { sketch } = drawing;
  if (to.kind === 'end') {
    sketch.path(from, drawEnd(to.end, drawing), part);
    return;
  }
  const key = zoneKey(byQuestion(to.step));
  if (questionKey(to.step.question) === questionKey(asked)) sketch.path(from, key, part);
  else {
    const alias = drawQuestion(to.step.question, 'alias to ', sketch);
    sketch.path(from, alias, part);
    sketch.path(alias, key, part);
  }
}

function drawQuestion(question: Question, how: string, sketch: Sketch): string {
  const key = `question ${questionKey(question)}`;
  const lines = fitting([`${how}${question.name} ${question.type}`]);
  sketch.box({ key, kind: 'question', effect: 'leads-on', lines });
  return key;
}

function drawEnd(end: End, { sketch, effectOf, shorten }: Drawing): string {
  const effect = effectOf(end);
  const key = `end ${effect} ${end.kind} ${namelessEndWords(end)}`;
  sketch.box({ key, kind: 'end', effect, lines: endLines(end, effect, shorten) });
  return key;
}

function zoneKey(key: string): string {
  return `zone ${key}`;
}

/** Equal for servers that did the same and lead to the same box. */
function replyKey({ reply, next }: PickView): string {
  const target = next.kind === 'step' ? zoneKey(byQuestion(next.step)) : 'end';
  const words = reply.end === undefined ? reply.words : namelessEndWords(reply.end);
  return [target, words, ...reply.notes].join('\n');
}

function total(group: readonly PickView[]): Fraction {
  return sum(group.map(({ probability }) => probability()));
}

/** A box whose probability is not known yet. */
type BlankBox = Omit<Box, 'probability'>;

/** A diagram in the making: drawing a box twice has no effect, and paths that go the same way add up. */
class Sketch {
  readonly #boxes = new Map<string, BlankBox>();
  readonly #arrows = new Map<string, Arrow>();
  /** The probability that arrives at each box, from other boxes or because paths begin there. */
  readonly #arrived = new Map<string, Fraction>();

  /** Draws a box unless there is one with its key. */
  box(box: BlankBox): void {
    if (!this.#boxes.has(box.key)) this.#boxes.set(box.key, box);
  }

  /** Lets paths begin at a box. */
  begin(at: string, probability: Fraction): void {
    this.#arrived.set(at, add(this.#arrived.get(at) ?? ZERO, probability));
  }

  path(from: string, to: string, probability: Fraction): void {
    const key = `${from}\n\n${to}`;
    const known = this.#arrows.get(key);
    const before = known?.kind === 'path' ? known.probability : ZERO;
    this.#arrows.set(key, { kind: 'path', from, to, probability: add(before, probability) });
    this.begin(to, probability);
  }

  get boxes(): readonly Box[] {
    return [...this.#boxes.values()].map((box) => ({
      ...box,
      probability: this.#arrived.get(box.key) ?? ZERO,
    }));
  }

  get arrows(): readonly Arrow[] {
    return [...this.#arrows.values()];
  }
}
