/*
 * evaluate: a recording goes in; the ends of each view come out, with their exact shares. Pure: no network, no clock.
 *
 * unfolding/ makes a graph of steps without cycles from the recorded exchanges; within-work.ts bounds its depth by the work
 * that it takes. One fold (visit/fold.ts) tells what becomes of a resolver on that graph. A resolver is data: behaviours.ts
 * has the abstract ones, explore/profiles/ the products, which products.ts starts cold and warm. So a rule of the DNS is
 * written once, and views cannot disagree about it. visit/visit.ts plays a resolver at one zone, as a state machine;
 * visit/memoryless.ts is its closed form for behaviours without memory, because that is faster. validating/ finds what
 * replies prove. Only first tries (path-view.ts) and latencies (views/latency.ts) have folds of their own.
 * what-if.ts imagines other worlds (world.ts), varying-answers.ts tells which ends are one answer that servers rotate.
 * Probabilities are fractions (fraction.ts) until they are printed; ends are a closed union (end.ts).
 */
import { Work } from '../base/work.ts';
import type { Recording } from '../explore/recording.ts';
import { type Outcome, outcomesOf } from './distribution.ts';
import { unexamined } from './end.ts';
import type { Fraction } from './fraction.ts';
import { countingPaths, PathView, uniformly } from './path-view.ts';
import { type ProfileOutcomes, viewsOfProducts } from './products.ts';
import type { InTime } from './profiles/in-time.ts';
import { type StickyStep, stickySteps } from './profiles/sticky.ts';
import { ResolverView } from './resolver-view.ts';
import type { Step, Walk } from './step.ts';
import { inLookups, passedBy, passes } from './step-order.ts';
import { type ValidatingView, viewOfValidators } from './validating/validating-view.ts';
import { type Shown, shownOutcomes, type VaryingAnswers, varyingAnswers } from './varying-answers.ts';
import { Latencies, type Latency } from './views/latency.ts';
import { resolvingWithinWork, type Unfolded, withinWork } from './within-work.ts';
import { AS_RECORDED, type EvaluatedWorld, type MainWalk } from './world.ts';

/** Everything that a recording says about its question. The views are those of the cold walk. */
export interface Evaluation extends Views {
  /** The cold main walk. */
  readonly start: Walk;
  /** Counts the distinct paths, which takes as long as folding them: what is only compared with needs no count. */
  readonly countPaths: () => bigint;
  readonly latency: Latency;
  /** How often a path passes each step on average, each step after all that lead to it. */
  readonly passes: ReadonlyMap<Step, Fraction>;
  readonly pathView: PathView;
  /** The warm main walk, if the recording was made to tell. */
  readonly warm?: WarmWalk;
  /** What users behind validating resolvers get, if the recording was made to tell. */
  readonly validating?: ValidatingView;
  /** What users of each product get, if the recording was made to tell. */
  readonly profiles?: readonly ProfileOutcomes[];
  /** Where it matters which server of a zone a busy resolver stays with; absent: nowhere, or profiles were not asked for. */
  readonly sticky?: readonly StickyStep[];
  /** Which answers vary by themselves. */
  readonly varying: VaryingAnswers;
  /** Whether a limit is an end, or an end's cause, in any of these views. */
  readonly coverage: 'whole' | 'limited';
}

/** Where the paths of one main walk end. */
interface Views {
  /** Path view: most probable first; ties by kind, question, server. The probabilities sum to exactly 1. */
  readonly outcomes: readonly Outcome[];
  /** The same for the resolver view. */
  readonly resolverOutcomes: readonly Outcome[];
}

/** The warm main walk: svc-model(7), COLD AND WARM. */
export interface WarmWalk extends Views {
  readonly start: Walk;
  /** Lookups included, each after all that it leads to. */
  readonly steps: readonly Step[];
  readonly pathView: PathView;
  readonly resolved: Resolved;
}

/** What the resolver view of a walk was folded from: the steps of the path view, or fewer if these are too many to unfold. */
interface Resolved extends Unfolded {
  readonly resolverView: ResolverView;
}

export type { ProfileOutcomes } from './products.ts';
/** What users of a resolver product get, and when. */
export type { InTime } from './profiles/in-time.ts';

/**
 * Evaluates a recording, or another world where one is imagined: in that, what was recorded as varying does so, too. A pure
 * function: a saved recording gives the same numbers again, to the last digit.
 */
export function evaluate(
  recording: Recording,
  world: EvaluatedWorld = AS_RECORDED,
  recorded?: Pick<Evaluation, 'varying'>,
): Evaluation {
  const { start, steps, pathView, latency, resolved, cold, warm, validating, profiles } = foldWalks(
    recording,
    world,
  );
  const walks = [{ start, pathView }, ...(warm === undefined ? [] : [warm])];
  const varying = recorded?.varying ?? varyingAnswers(recording, walks);
  const shown = shownOutcomes(varying, recording.scope.expect);
  return {
    start,
    ...shownViews(cold, shown),
    ...(warm && { warm: { ...warm, ...shownViews(warm, shown) } }),
    ...(validating && { validating: { ...validating, outcomes: shown(validating.outcomes) } }),
    ...(profiles && { profiles: profiles.map((one) => shownProfile(one, shown)) }),
    ...stickyAt(recording, start, resolved, shown),
    varying,
    countPaths: () => countPaths(start, steps),
    latency,
    passes: passes(start, pathView),
    pathView,
    coverage: [cold, warm, validating, ...(profiles ?? []).flatMap((one) => [one, one.warm])].some(isLimited)
      ? 'limited'
      : 'whole',
  };
}

/** The views of all walks, with each end as it was recorded. */
interface FoldedWalks extends PathsTimed, Pick<Evaluation, 'warm' | 'validating' | 'profiles'> {
  readonly resolved: Resolved;
  readonly cold: Views;
}

function foldWalks(recording: Recording, world: EvaluatedWorld): FoldedWalks {
  const main = { recording, world, start: { kind: 'cold' } } as const;
  const folded = withinWork(main, pathViewAndLatency);
  const resolved = resolverViewBeside(main, folded);
  const warm = recording.scope.warm === 'on' ? warmWalk(recording, world) : undefined;
  const validating = viewOfValidators({ recording, world }, folded.start);
  const profiles = viewsOfProducts({ recording, world }, { cold: resolved, warm, validating });
  return {
    ...folded,
    resolved,
    cold: viewsIn(folded, resolved),
    ...(warm && { warm }),
    ...(validating && { validating }),
    ...(profiles && { profiles }),
  };
}

function shownViews({ outcomes, resolverOutcomes }: Views, shown: Shown): Views {
  return { outcomes: shown(outcomes), resolverOutcomes: shown(resolverOutcomes) };
}

/** Only with profiles, and where the resolver view was folded from the steps of the path view. */
function stickyAt(
  { scope }: Recording,
  start: Walk,
  resolved: Resolved,
  shown: Shown,
): Pick<Evaluation, 'sticky'> {
  if (scope.profiles === undefined || resolved.start !== start) return {};
  const sticky = stickySteps(start, resolved.resolverView, shown);
  return sticky.length === 0 ? {} : { sticky };
}

function shownProfile({ warm, ...cold }: ProfileOutcomes, shown: Shown): ProfileOutcomes {
  return { ...shownStart(cold, shown), ...(warm && { warm: shownStart(warm, shown) }) };
}

function shownStart<Start extends InTime & { readonly validating?: InTime }>(
  start: Start,
  shown: Shown,
): Start {
  const { validating } = start;
  return {
    ...start,
    outcomes: shown(start.outcomes),
    ...(validating && { validating: { ...validating, outcomes: shown(validating.outcomes) } }),
  };
}

function warmWalk(recording: Recording, world: EvaluatedWorld): WarmWalk {
  const main = { recording, world, start: { kind: 'warm' } } as const;
  const folded = withinWork(main, pathViewAlone);
  const resolved = resolverViewBeside(main, folded);
  return { ...folded, resolved, ...viewsIn(folded, resolved) };
}

function viewsIn({ start, pathView }: PathsFolded, { start: resolvedStart, resolverView }: Resolved): Views {
  return {
    outcomes: outcomesOf(pathView.distribution(start)),
    resolverOutcomes: outcomesOf(resolverView.distribution(resolvedStart)),
  };
}

function isLimited(view: Partial<Views> | undefined): boolean {
  const { outcomes = [], resolverOutcomes = [] } = view ?? {};
  return [...outcomes, ...resolverOutcomes].some(({ end }) => unexamined(end) !== undefined);
}

interface PathsFolded extends Unfolded {
  readonly pathView: PathView;
}

function pathViewAlone(unfolded: Unfolded, mostWork: number): PathsFolded | undefined {
  const pathView = new PathView(uniformly, mostWork);
  for (const step of unfolded.steps) pathView.fold(step);
  return pathView.exceeded ? undefined : { ...unfolded, pathView };
}

interface PathsTimed extends PathsFolded {
  readonly latency: Latency;
}

function pathViewAndLatency(unfolded: Unfolded, mostWork: number): PathsTimed | undefined {
  const folded = pathViewAlone(unfolded, mostWork);
  if (folded === undefined) return undefined;
  const { start, steps } = unfolded;
  const work = new Work(mostWork);
  const latencies = new Latencies(work);
  for (const step of inLookups(steps)) latencies.foldTiming(step);
  if (work.exceeded) return undefined;
  for (const step of passedBy(start, steps)) latencies.of({ kind: 'step', step });
  const latency = latencies.of(start);
  return work.exceeded ? undefined : { ...folded, latency };
}

/** The resolver view of a main walk whose steps were unfolded for the path view: of these if they are all, else of its own. */
function resolverViewBeside(main: MainWalk, unfolded: Unfolded): Resolved {
  const { maxWork } = main.recording.scope;
  const beside = unfolded.reach === 'whole' ? resolverViewAlone(unfolded, maxWork) : undefined;
  return beside ?? resolvingWithinWork(main, resolverViewAlone);
}

function resolverViewAlone(unfolded: Unfolded, mostWork: number): Resolved | undefined {
  const work = new Work(mostWork);
  const resolverView = new ResolverView(work);
  for (const step of unfolded.steps) resolverView.fold(step);
  return work.exceeded ? undefined : { ...unfolded, resolverView };
}

function countPaths(start: Walk, steps: readonly Step[]): bigint {
  const view = new PathView(countingPaths);
  for (const step of steps) view.fold(step);
  const { portions } = view.distribution(start);
  return [...portions.values()].reduce((sum, parts) => sum + parts, 0n);
}
