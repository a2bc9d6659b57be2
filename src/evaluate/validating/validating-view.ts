import { Work } from '../../base/work.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { type Delegation, delegationKey } from '../../explore/delegation.ts';
import { isUsable } from '../../explore/meaning.ts';
import { type Outcome, outcomesOf } from '../distribution.ts';
import { ResolverView } from '../resolver-view.ts';
import { type ExchangeVerdict, type Step, type Walk, walkAfter } from '../step.ts';
import { inLookups } from '../step-order.ts';
import { Latencies, type Latency } from '../views/latency.ts';
import { type Unfolded, withinWork } from '../within-work.ts';
import type { MainWalk } from '../world.ts';
import { type ValidatedWalkStep, ValidatingFold } from './fold-step.ts';
import { explanations } from './insecure-zones.ts';
import { ValidatingLatencies } from './validating-latency.ts';
import { Verdicts } from './verdicts.ts';

/**
 * What users behind a validating resolver get, on the cold walk: svc-model(7), VALIDATING. Resolvers differ in one
 * thing, so there are two readings.
 */
export interface ValidatingView {
  /** Of a resolver that tries another server when a reply does not verify. In the order of all outcomes; they sum to 1. */
  readonly outcomes: readonly Outcome[];
  /** Of one that takes the first reply that it could use without proof, and fails if that does not verify. */
  readonly firstTryOutcomes: readonly Outcome[];
  /** Over all paths of the first reading. */
  readonly latency: Latency;
  /** By `queryKey`: what is made of each exchange. None for those that no resolver could use. */
  readonly verdicts: ReadonlyMap<string, ExchangeVerdict>;
  /** The steps that paths of the first reading come to, those of lookups apart. */
  readonly steps: readonly Step[];
  /** Where its walk begins. */
  readonly start: Walk;
}

/** What is seen of a recording by resolvers that demand proof, beside what the cold main walk `cold` meets. */
export function viewOfValidators(main: Omit<MainWalk, 'start'>, cold: Walk): ValidatingView | undefined {
  if (main.recording.scope.dnssec?.validation === undefined) return undefined;
  const folded = withinWork({ ...main, start: { kind: 'validating', sets: 'delegated' } }, bothReadings);
  const { start, triesOn, firstTry, validated, latency } = folded;
  return {
    outcomes: outcomesOf(triesOn.distribution(start)),
    firstTryOutcomes: outcomesOf(firstTry.distribution(start)),
    latency,
    verdicts: new Map(verdictsOn(validated, triesOn, cold)),
    steps: validated,
    start,
  };
}

interface BothReadings extends Unfolded {
  readonly lookups: ResolverView;
  readonly triesOn: ValidatingFold;
  readonly firstTry: ValidatingFold;
  /** The steps that some path of the first comes to. */
  readonly validated: readonly ValidatedWalkStep[];
  readonly latency: Latency;
}

function bothReadings(unfolded: Unfolded, mostWork: number): BothReadings | undefined {
  const { start, steps } = unfolded;
  const [looking, one, other] = [new Work(mostWork), new Work(mostWork), new Work(mostWork)];
  const lookups = new ResolverView(looking);
  const inMain = steps.filter(isValidated);
  for (const step of steps) if (!isValidated(step)) lookups.fold(step);
  if (looking.exceeded) return undefined;
  const triesOn = new ValidatingFold({ onBogus: 'tries-on', lookups, work: one });
  for (const step of inMain) triesOn.fold(step);
  const firstTry = new ValidatingFold({ onBogus: 'first-try', lookups, work: other });
  for (const step of inMain) firstTry.fold(step);
  if (one.exceeded || other.exceeded) return undefined;
  const met = reached(start, triesOn);
  const validated = inMain.filter((step) => met.has(step));
  const timing = new Work(mostWork);
  const timesOfLookups = new Latencies(timing);
  for (const step of inLookups(steps)) timesOfLookups.foldTiming(step);
  if (timing.exceeded) return undefined;
  const latencies = new ValidatingLatencies(triesOn, { lookups, latencies: timesOfLookups, work: timing });
  for (const step of validated) latencies.fold(step);
  if (timing.exceeded) return undefined;
  return { ...unfolded, lookups, triesOn, firstTry, validated, latency: latencies.of(start) };
}

function isValidated(step: Step): step is ValidatedWalkStep {
  return step.validated !== undefined;
}

/** The steps that some path of the view comes to. */
function reached(start: Walk, view: ValidatingFold): ReadonlySet<ValidatedWalkStep> {
  const steps = new Set<ValidatedWalkStep>();
  const ahead = [start];
  for (const walk of ahead) {
    if (walk.kind !== 'step' || !isValidated(walk.step) || steps.has(walk.step)) continue;
    steps.add(walk.step);
    ahead.push(...view.onward(walk.step));
  }
  return steps;
}

function verdictsOn(validated: readonly ValidatedWalkStep[], view: ValidatingFold, cold: Walk): Verdicts {
  const verdicts = new Verdicts();
  const explain = explanations(validated);
  for (const step of validated) verdicts.noteAll(explain(step, view.verdicts(step)));
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
