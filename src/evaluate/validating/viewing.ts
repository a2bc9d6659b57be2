import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { type Delegation, delegationKey } from '../../explore/delegation.ts';
import { isUsable } from '../../explore/meaning.ts';
import { Work } from '../../explore/work.ts';
import { forEachInTurn, type Pausable } from '../../pausable.ts';
import { type Question, questionKey } from '../../wire/question.ts';
import { inLookups } from '../bottom-up.ts';
import { outcomesOf } from '../distribution.ts';
import type { MainWalk } from '../evaluated-world.ts';
import { Latencies, type Latency } from '../latency.ts';
import { ResolverView } from '../resolver-view.ts';
import type { Step, Walk } from '../step.ts';
import { walkAfter } from '../visit.ts';
import { type Unfolded, withinWork } from '../within-work.ts';
import { JudgedView, type StepJudged } from './judged-folds.ts';
import { JudgedLatencies } from './judged-latency.ts';
import type { ValidatingView } from './validating-view.ts';
import { Verdicts } from './verdicts.ts';

/** What is seen of a recording by resolvers that demand proof, beside what the cold main walk `cold` meets. */
export function* viewingWithProof(
  main: Omit<MainWalk, 'kind'>,
  cold: Walk,
): Pausable<ValidatingView | undefined> {
  if (main.recording.scope.dnssec?.validation === undefined) return undefined;
  const folded = yield* withinWork({ ...main, kind: 'validating' }, bothReadings);
  const { start, triesOn, firstTry, validated, latency } = folded;
  return {
    outcomes: outcomesOf(triesOn.distribution(start)),
    firstTryOutcomes: outcomesOf(firstTry.distribution(start)),
    latency,
    verdicts: new Map(verdictsOn(validated, triesOn, cold)),
    steps: validated,
  };
}

interface BothReadings extends Unfolded {
  readonly triesOn: JudgedView;
  readonly firstTry: JudgedView;
  /** The steps that some path of the first comes to. */
  readonly validated: readonly StepJudged[];
  readonly latency: Latency;
}

function* bothReadings(unfolded: Unfolded, mostWork: number): Pausable<BothReadings | undefined> {
  const { start, steps } = unfolded;
  const [looking, one, other] = [new Work(mostWork), new Work(mostWork), new Work(mostWork)];
  const lookups = new ResolverView(looking);
  const inMain = steps.filter(isJudged);
  yield* forEachInTurn(steps, (step) => isJudged(step) || lookups.fold(step));
  if (looking.exceeded) return undefined;
  const triesOn = new JudgedView({ reading: 'tries-on', lookups, work: one });
  yield* forEachInTurn(inMain, (step) => triesOn.fold(step));
  const firstTry = new JudgedView({ reading: 'first-try', lookups, work: other });
  yield* forEachInTurn(inMain, (step) => firstTry.fold(step));
  if (one.exceeded || other.exceeded) return undefined;
  const met = reached(start, triesOn);
  const validated = inMain.filter((step) => met.has(step));
  const timing = new Work(mostWork);
  const timesOfLookups = new Latencies(timing);
  yield* forEachInTurn(inLookups(steps), (step) => timesOfLookups.foldTiming(step));
  if (timing.exceeded) return undefined;
  const latencies = new JudgedLatencies(triesOn, timesOfLookups, timing);
  yield* forEachInTurn(validated, (step) => latencies.fold(step));
  if (timing.exceeded) return undefined;
  return { ...unfolded, triesOn, firstTry, validated, latency: latencies.of(start) };
}

function isJudged(step: Step): step is StepJudged {
  return step.validated !== undefined;
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

function verdictsOn(validated: readonly StepJudged[], view: JudgedView, cold: Walk): Verdicts {
  const verdicts = new Verdicts();
  for (const step of validated) verdicts.noteAll(view.verdicts(step));
  const known = new Set(validated.map(stepKey));
  for (const { step, within } of stepsBelow(cold)) {
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
