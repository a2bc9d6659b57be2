import type { End } from '../../evaluate/end.ts';
import { type Fraction, ONE, sum } from '../../evaluate/fraction.ts';
import { bearingOfDeed } from '../../reading/account.ts';
import type { Judge } from '../../reading/bearing.ts';
import { namelessEndWords } from '../../reading/end-words.ts';
import { grouped } from '../../reading/grouped.ts';
import type { Next, ResultIndex } from '../../reading/result-index.ts';
import type { PickView } from '../../reading/steps/pick-views.ts';
import { byQuestion, type StepView, stepViews } from '../../reading/steps/step-views.ts';
import { type Begin, walked } from '../../reading/walk.ts';
import type { Shorten } from '../../reading/words/shortened.ts';
import type { Name } from '../../wire/name.ts';
import { type Question, questionKey } from '../../wire/question.ts';
import { endLines, fitting, serverLines } from './box-lines.ts';
import { serversIn } from './box-servers.ts';
import { Sketch } from './sketch.ts';

/** Walks that ask one question, to be drawn. */
export interface Walks {
  readonly question: Question;
  /** Their weights add up to 1. */
  readonly begins: readonly Begin[];
  /** What their ends mean to them. */
  readonly judge: Judge;
  readonly shorten: Shorten;
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
  readonly judge: Judge;
  readonly shorten: Shorten;
}

/** Draws walks. Steps of one delegation and question share a box, however many ways lead there. */
export function sketchWalks(walks: Walks, index: ResultIndex): WalkSketch {
  const { question, begins, judge, shorten } = walks;
  const sketch = new Sketch();
  const start = drawQuestion(question, '', sketch);
  sketch.begin(start, ONE);
  const drawing = { start, sketch, needs: new Map(), judge, shorten };
  for (const { leadsTo, weight } of begins) drawPath(start, index.next(leadsTo), question, weight(), drawing);
  for (const view of stepViews(walked(begins, index), byQuestion, index, judge)) drawZone(view, drawing);
  return drawing;
}

/** Draws a zone: with its servers inside if all of them did the same, otherwise with a box for each thing they did. */
function drawZone(view: StepView, drawing: Drawing): void {
  const key = zoneKey(view.key);
  const { zone } = view;
  const head = fitting([`zone ${zone}`, view.remark]);
  const groups = grouped(view.picks, deedKey);
  const [only, ...others] = groups;
  if (only !== undefined && others.length === 0) {
    const { account } = only[0];
    const lines = [...head, ...serverLines(only)];
    const box = {
      key,
      kind: 'zone',
      bearing: bearingOfDeed(account),
      lines,
      zone,
      ...serversOf(view, only),
    } as const;
    drawing.sketch.box(box);
    drawDeed(key, view, only, drawing);
    return;
  }
  drawing.sketch.box({ key, kind: 'zone', bearing: 'leads-on', lines: head });
  for (const group of groups) {
    const own = `${key}\n${deedKey(group[0])}`;
    const { account } = group[0];
    const lines = serverLines(group);
    const box = {
      key: own,
      kind: 'servers',
      bearing: bearingOfDeed(account),
      lines,
      ...serversOf(view, group),
    } as const;
    drawing.sketch.box(box);
    drawing.sketch.path(key, own, total(group));
    drawDeed(own, view, group, drawing);
  }
}

function serversOf({ zone }: StepView, group: Group): ReturnType<typeof serversIn> {
  const servers = group.map(({ name, address }) => ({
    zone,
    name,
    ...(address === undefined ? {} : { address }),
  }));
  return serversIn([{ servers }]);
}

/** Draws where a group of servers leads, and notes the lookups that it needed. */
function drawDeed(key: string, { question }: StepView, group: Group, drawing: Drawing): void {
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
  sketch.box({ key, kind: 'question', bearing: 'leads-on', lines });
  return key;
}

function drawEnd(end: End, { sketch, judge, shorten }: Drawing): string {
  const bearing = judge(end);
  const key = `end ${bearing} ${end.kind} ${namelessEndWords(end)}`;
  sketch.box({ key, kind: 'end', bearing, lines: endLines(end, bearing, shorten) });
  return key;
}

function zoneKey(key: string): string {
  return `zone ${key}`;
}

/** Equal for servers that did the same and lead to the same box. */
function deedKey({ account, next }: PickView): string {
  const target = next.kind === 'step' ? zoneKey(byQuestion(next.step)) : 'end';
  const words = account.end === undefined ? account.words : namelessEndWords(account.end);
  return [target, words, ...account.notes].join('\n');
}

function total(group: readonly PickView[]): Fraction {
  return sum(group.map(({ probability }) => probability()));
}
