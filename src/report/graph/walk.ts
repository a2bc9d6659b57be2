import type { LeadsTo, StepRow } from '../../document/steps.ts';
import type { End } from '../../evaluate/end.ts';
import { add, type Fraction, ONE } from '../../evaluate/fraction.ts';
import type { Bearing } from '../../reading/doing.ts';
import { grouped } from '../../reading/grouped.ts';
import type { Graph } from '../../reading/result-index.ts';
import type { Name } from '../../wire/name.ts';
import { type Question, questionKey } from '../../wire/question.ts';
import { delegationRemarks, zoneKey } from './delegated-by.ts';
import { endPhrase } from './end-phrase.ts';
import { type Begin, flow } from './flow.ts';
import { doingLines, endLines, fitting, serverLines } from './lines.ts';
import { type Pick, picksOf } from './picks.ts';
import { Sketch } from './sketch.ts';

/** Walks that ask one question, to be drawn. */
export interface Walks {
  readonly question: Question;
  /** Together they weigh 1. */
  readonly begins: readonly Begin[];
  /** What it means that one of them ends so. */
  readonly judge: (end: End) => Bearing;
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
  readonly judge: Walks['judge'];
  readonly graph: Graph;
}

/** Draws walks. Steps of one delegation and question are one, however many ways lead there. */
export function sketchWalks({ question, begins, judge }: Walks, graph: Graph): WalkSketch {
  const sketch = new Sketch();
  const start = drawQuestion(question, '', sketch);
  sketch.begin(start, ONE);
  const drawing = { start, sketch, needs: new Map(), judge, graph };
  for (const { leadsTo, weight } of begins) drawPath(start, leadsTo, question, weight, drawing);
  const passing = flow(begins, graph);
  const zones = grouped([...passing.keys()], zoneKey);
  const remarks = delegationRemarks([...passing.keys()], graph);
  for (const steps of zones) {
    const picks = steps.flatMap((step) => picksOf(step, passing.get(step) ?? ONE, graph));
    drawZone(steps[0], remarks.get(zoneKey(steps[0])) ?? '', picks, drawing);
  }
  return drawing;
}

/** A zone with its servers in it if all of them did the same, else with a box for each thing they did. */
function drawZone(step: StepRow, remark: string, picks: readonly Pick[], drawing: Drawing): void {
  const key = zoneKey(step);
  const head = fitting([`zone ${step.zone}`, remark]);
  const groups = grouped(picks, (pick) => deedKey(pick, drawing));
  const [only, ...others] = groups;
  if (only !== undefined && others.length === 0) {
    const lines = [...head, ...serverLines(only), ...doingLines(judged(only[0], drawing))];
    drawing.sketch.box({ key, kind: 'zone', bearing: judged(only[0], drawing).bearing, lines });
    drawDeed(key, step, only, drawing);
    return;
  }
  drawing.sketch.box({ key, kind: 'zone', bearing: 'leads-on', lines: head });
  for (const group of groups) {
    const own = `${key}\n${deedKey(group[0], drawing)}`;
    const doing = judged(group[0], drawing);
    const lines = [...serverLines(group), ...doingLines(doing)];
    drawing.sketch.box({ key: own, kind: 'servers', bearing: doing.bearing, lines });
    drawing.sketch.path(key, own, total(group));
    drawDeed(own, step, group, drawing);
  }
}

/** What a group of servers leads to, and the lookups that it took. */
function drawDeed(key: string, step: StepRow, group: readonly [Pick, ...Pick[]], drawing: Drawing): void {
  for (const { leadsTo, probability } of group) drawPath(key, leadsTo, step.question, probability, drawing);
  const needed = group.flatMap((pick) =>
    pick.lookup === 'needed' ? pick.name : (pendingName(pick, drawing) ?? []),
  );
  if (needed.length > 0) drawing.needs.set(key, new Set(needed));
}

/** The name that a path came back to in search of its own address: that lookup is drawn already. */
function pendingName({ leadsTo }: Pick, { graph }: Drawing): Name | undefined {
  const end = 'end' in leadsTo ? graph.end(leadsTo.end) : undefined;
  return end?.kind === 'loop' ? end.nameserver : undefined;
}

/** A path to where it goes on: the zone, by way of the question if that is a new one, or the end. */
function drawPath(from: string, to: LeadsTo, asked: Question, part: Fraction, drawing: Drawing): void {
  const { sketch, graph } = drawing;
  const step = 'step' in to ? graph.step(to.step) : undefined;
  if (step === undefined) {
    if ('end' in to) sketch.path(from, drawEnd(graph.end(to.end), drawing), part);
    return;
  }
  if (questionKey(step.question) === questionKey(asked)) sketch.path(from, zoneKey(step), part);
  else {
    const alias = drawQuestion(step.question, 'alias to ', sketch);
    sketch.path(from, alias, part);
    sketch.path(alias, zoneKey(step), part);
  }
}

function drawQuestion(question: Question, how: string, sketch: Sketch): string {
  const key = `question ${questionKey(question)}`;
  const lines = fitting([`${how}${question.name} ${question.type}`]);
  sketch.box({ key, kind: 'question', bearing: 'leads-on', lines });
  return key;
}

function drawEnd(end: End, { sketch, judge }: Drawing): string {
  const bearing = judge(end);
  const key = `end ${bearing} ${end.kind} ${endPhrase(end)}`;
  sketch.box({ key, kind: 'end', bearing, lines: endLines(end, bearing) });
  return key;
}

/** Equal for servers that did the same and lead to the same box. */
function deedKey({ doing, leadsTo }: Pick, { graph }: Drawing): string {
  const step = 'step' in leadsTo ? graph.step(leadsTo.step) : undefined;
  const words = doing.end === undefined ? doing.words : endPhrase(doing.end);
  return [step === undefined ? 'end' : zoneKey(step), words, ...doing.notes].join('\n');
}

function judged({ doing, leadsTo }: Pick, { judge, graph }: Drawing): Pick['doing'] {
  if ('step' in leadsTo || doing.bearing === 'leads-on') return doing;
  return { ...doing, bearing: judge(graph.end(leadsTo.end)) };
}

function total(group: readonly Pick[]): Fraction {
  return group.map(({ probability }) => probability).reduce(add);
}
