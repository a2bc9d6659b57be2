import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { type Delegation, delegationKey } from '../../explore/delegation.ts';
import { isUsable } from '../../explore/meaning.ts';
import { Work } from '../../explore/work.ts';
import { type Pausable, Pauses } from '../../pausable.ts';
import { type Question, questionKey } from '../../wire/question.ts';
import { outcomesOf } from '../distribution.ts';
import type { MainWalk } from '../evaluated-world.ts';
import type { Latency } from '../latency.ts';
import { resolverViewOf } from '../resolver-view.ts';
import type { Step, Walk } from '../step.ts';
import { walkAfter } from '../visit.ts';
import { type Unfolded, withinWork } from '../within-work.ts';
import { type JudgedView, judgedViewOf, type StepJudged } from './judged-folds.ts';
import { judgedLatency } from './judged-latency.ts';
import type { ValidatingView } from './validating-view.ts';
import { Verdicts } from './verdicts.ts';

/** What is seen of a recording by resolvers that demand proof, beside what the cold main walk `cold` meets. */
export function* viewingWithProof(
  main: Omit<MainWalk, 'kind'>,
  cold: Walk,
): Pausable<ValidatingView | undefined> {
  if (main.recording.scope.dnssec?.validation === undefined) return undefined;
  const folded = yield* withinWork({ ...main, kind: 'validating' }, bothReadings);
  const { start, triesOn, firstTry, judged, latency } = folded;
  return {
    outcomes: outcomesOf(triesOn.distribution(start)),
    firstTryOutcomes: outcomesOf(firstTry.distribution(start)),
    latency,
    verdicts: new Map(yield* verdictsOn(judged, triesOn, cold)),
    steps: judged,
  };
}

interface BothReadings extends Unfolded {
  readonly triesOn: JudgedView;
  readonly firstTry: JudgedView;
  /** The steps that some path of the first comes to. */
  readonly judged: readonly StepJudged[];
  readonly latency: Latency;
}

function* bothReadings(unfolded: Unfolded, mostWork: number): Pausable<BothReadings | undefined> {
  const { start, steps } = unfolded;
  const inLookups = new Work(mostWork);
  const lookups = yield* resolverViewOf(
    steps.filter((step) => !isJudged(step)),
    inLookups,
  );
  if (inLookups.exceeded) return undefined;
  const main = steps.filter(isJudged);
  const [one, other, timing] = [new Work(mostWork), new Work(mostWork), new Work(mostWork)];
  const triesOn = yield* judgedViewOf(main, { reading: 'tries-on', lookups, work: one });
  const firstTry = yield* judgedViewOf(main, { reading: 'first-try', lookups, work: other });
  if (one.exceeded || other.exceeded) return undefined;
  const met = reached(start, triesOn);
  const judged = main.filter((step) => met.has(step));
  const latency = yield* judgedLatency({ start, steps, judged, view: triesOn }, timing);
  return timing.exceeded ? undefined : { ...unfolded, triesOn, firstTry, judged, latency };
}

function isJudged(step: Step): step is StepJudged {
  return step.judged !== undefined;
}

/** The steps that some path of the view comes to. */
function reached(start: Walk, view: JudgedView): ReadonlySet<StepJudged> {
  const steps = new Set<StepJudged>();
  const ahead = [start];
  for (const walk of ahead) {
    if (walk.kind !== 'step' || !isJudged(walk.step) || steps.has(walk.step)) continue;
    steps.add(walk.step);
    ahead.push(...view.onward(walk.step));
  }
  return steps;
}

function* verdictsOn(judged: readonly StepJudged[], view: JudgedView, cold: Walk): Pausable<Verdicts> {
  const verdicts = new Verdicts();
  for (const step of judged) verdicts.noteAll(view.verdicts(step));
  const known = new Set(judged.map(stepKey));
  const pauses = new Pauses();
  for (const { step, within } of stepsBelow(cold)) {
    if (pauses.due(1)) yield;
    if (within === 'main' && known.has(stepKey(step))) continue;
    for (const exchanged of usableAt(step)) verdicts.note(queryKey(exchanged), { status: 'unknown' });
  }
  return verdicts;
}

/** The same for steps of both views that put one question to the same servers. */
function stepKey({
  delegation,
  question,
}: {
  readonly delegation: Delegation;
  readonly question: Question;
}): string {
  const { zone, nameservers } = delegation;
  return `${delegationKey({ zone, nameservers })}\n${questionKey(question)}`;
}

interface MetStep {
  readonly step: Step;
  readonly within: 'main' | 'lookup';
}

/** Every step below a cold main walk, once for the walk itself and once for lookups. */
function* stepsBelow(start: Walk): Generator<MetStep> {
  const met = { main: new Set<Step>(), lookup: new Set<Step>() };
  const ahead: { readonly walk: Walk; readonly within: MetStep['within'] }[] = [
    { walk: start, within: 'main' },
  ];
  for (const { walk, within } of ahead) {
    if (walk.kind !== 'step' || met[within].has(walk.step)) continue;
    const { step } = walk;
    met[within].add(step);
    yield { step, within };
    for (const visit of step.visits.values()) {
      const next = walkAfter(visit);
      if (next !== undefined) ahead.push({ walk: next, within });
    }
    for (const server of step.servers)
      if (server.kind === 'lookup')
        for (const { walk: lookup } of server.lookups) ahead.push({ walk: lookup, within: 'lookup' });
  }
}

function usableAt({ visits }: Step): readonly Exchanged[] {
  return [...visits.values()].flatMap((visit) =>
    visit.kind === 'asked' && isUsable(visit.meaning.kind) ? [visit.exchanged] : [],
  );
}
