/*
 * evaluate: a recording goes in; the ends of each view come out, with their exact shares. Pure: no network, no clock.
 *
 * unfolding/ makes a graph of steps without cycles from the recorded exchanges; within-work.ts bounds its depth by the work
 * that it takes. One fold (visit/fold.ts) tells what becomes of a resolver on that graph. A resolver is data: behaviours.ts
 * has the abstract ones, explore/profiles/ the products; views.ts is the table of what is computed with which of them. So
 * a rule of the DNS is written once, and views cannot disagree about it. visit/visit.ts plays a resolver at one zone, as a
 * state machine; visit/memoryless.ts is its closed form for behaviours without memory, because that is faster. validating/
 * finds what replies prove. Only first tries (path-view.ts) and latencies (views/latency.ts) have folds of their own.
 * what-if.ts imagines other worlds (world.ts), varying-answers.ts tells which ends are one answer that servers rotate.
 * Probabilities are fractions (fraction.ts) until they are printed; ends are a closed union (end.ts).
 */
import { Work } from '../base/work.ts';
import { questionKey } from '../dns/message.ts';
import type { NsSets } from '../explore/main-walks.ts';
import type { ProfileName } from '../explore/profiles/profiles.ts';
import type { Recording } from '../explore/recording.ts';
import { aliasWorlds, mixedView } from './alias-worlds.ts';
import { type Outcome, outcomesOf } from './distribution.ts';
import { unexamined } from './end.ts';
import type { Fraction } from './fraction.ts';
import { countingPaths, PathView, uniformly } from './path-view.ts';
import {
  type EvaluatedView,
  outcomesOfProducts,
  type ProductOutcomes,
  type ResolvedWalk,
} from './products.ts';
import { type StickyStep, stickySteps } from './profiles/sticky.ts';
import { variedBy } from './profiles/variants.ts';
import { resolverView } from './resolver-view.ts';
import type { Step, Walk } from './step.ts';
import { mainSteps, passes, stepsInOrder } from './step-order.ts';
import {
  type ProvingWalk,
  provingWalk,
  type ValidatingView,
  viewOfValidators,
} from './validating/validating-view.ts';
import { type Shown, shownOutcomes, type VaryingAnswers, varyingAnswers } from './varying-answers.ts';
import { Latencies, type Latency } from './views/latency.ts';
import { type ProductViewRow, VIEWS, type ViewName, type ViewRow, type ViewStart } from './views.ts';
import { isElsewhere, ownSetOf } from './visit/arrivals.ts';
import { resolvingWithinWork, type Unfolded, withinWork } from './within-work.ts';
import { AS_RECORDED, type EvaluatedWorld, type MainWalk } from './world.ts';

/** Everything that a recording says about its question. */
export interface Evaluation {
  /** Those that the recording was made to tell, in the order of the table. */
  readonly views: ReadonlyMap<ViewName, EvaluatedView>;
  /** Those of products that it was made to tell and does not. */
  readonly leftOut: ReadonlyMap<ProductViewRow['name'], WhyLeftOut>;
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
  /** What is proven on the way, if the recording was made to tell. */
  readonly validation?: Pick<ValidatingView, 'verdicts' | 'steps'>;
  /** Where it matters which server of a zone a busy resolver stays with; absent: nowhere, or profiles were not asked for. */
  readonly sticky?: readonly StickyStep[];
  /** Which answers vary by themselves. */
  readonly varying: VaryingAnswers;
  /** The steps that paths meet behind aliases which addresses gave only when they were asked again. */
  readonly furtherSteps: ReadonlyMap<Step, 'main' | 'lookup'>;
  /** Whether a limit is an end, or an end's cause, in any of the views. */
  readonly coverage: 'whole' | 'limited';
}

/** Too much work, or its resolvers ask more than was recorded. */
export type WhyLeftOut = 'work' | 'unasked';

/** The warm main walk: svc-model(7), COLD AND WARM. */
export type WarmWalk = PathsFolded & { readonly resolved: ResolvedWalk };

/** What users of resolvers get, and when. */
export type { EvaluatedView } from './products.ts';
export type { InTime } from './profiles/in-time.ts';
/** The validating view alone, where that is all that is wanted of another world. */
export { validatedOutcomes } from './validating/validating-view.ts';

/** The outcomes of a view; none of one that there is not. */
export function outcomesIn({ views }: Pick<Evaluation, 'views'>, name: ViewName): readonly Outcome[] {
  return views.get(name)?.outcomes ?? [];
}

/**
 * Evaluates a recording, or another world where one is imagined: in that, what was recorded as varying does so, too. A pure
 * function: a saved recording gives the same numbers again, to the last digit.
 */
export function evaluate(
  recording: Recording,
  world: EvaluatedWorld = AS_RECORDED,
  recorded?: Pick<Evaluation, 'varying'>,
): Evaluation {
  const walks = walksIn(recording, world);
  const { cold, 'own-ns-sets': warm } = walks;
  const { start, steps, pathView, latency, validators } = cold;
  const { worlds, replies } = aliasWorlds(recording, world);
  const turned = worlds.map((one) => ({ share: one.share, walks: walksIn(recording, one.world) }));
  const all = [walks, ...turned.map((one) => one.walks)];
  const varying =
    recorded?.varying ??
    varyingAnswers(recording, [all.map((one) => one.cold), all.flatMap((one) => one['own-ns-sets'] ?? [])]);
  const shown = shownOutcomes(varying, recording.scope.expect);
  const viewsShown = (of: Walks): Views => {
    const { views, leftOut } = viewsOn(of, recording);
    return { leftOut, views: new Map([...views].map(([name, view]) => [name, shownView(view, shown)])) };
  };
  const parts = turned.map((one) => ({ share: one.share, ...viewsShown(one.walks) }));
  const { views, leftOut } =
    parts.length === 0 ? viewsShown(walks) : mixedViews(parts, replies, recording.scope.profiles);
  return {
    views,
    leftOut,
    start,
    ...(warm && { warm }),
    ...(validators && { validation: validators }),
    ...stickyAt(recording, start, cold.resolved, shown),
    varying,
    furtherSteps: furtherSteps(
      cold,
      turned.map((one) => one.walks.cold),
    ),
    countPaths: () => countPaths(start, steps),
    latency,
    passes: passes(start, pathView),
    pathView,
    coverage: [...views.values()].every(isExamined) ? 'whole' : 'limited',
  };
}

type Views = Pick<Evaluation, 'views' | 'leftOut'>;

/** The views of several worlds together. A product that is not told apart in one of them does there as it does otherwise. */
function mixedViews(
  parts: readonly (Views & { readonly share: Fraction })[],
  replies: number,
  profiles: readonly ProfileName[] = [],
): Views {
  const views = new Map<ViewName, EvaluatedView>();
  const leftOut = new Map<ProductViewRow['name'], WhyLeftOut>(parts.flatMap((one) => [...one.leftOut]));
  for (const row of VIEWS) {
    if (!parts.some((one) => one.views.has(row.name))) continue;
    const known = parts.flatMap(({ share, ...one }) => {
      const varied = row.behaviour === 'profile' ? variedBy(row.profile, profiles) : undefined;
      const others =
        row.behaviour === 'profile' ? [row.profile, ...(varied === undefined ? [] : [varied])] : [];
      const view = [row.name, ...others].flatMap((name) => one.views.get(name) ?? [])[0];
      return view === undefined ? [] : [{ share, view }];
    });
    if (known.length === parts.length) views.set(row.name, mixedView(known, replies));
    else if (row.behaviour === 'profile' && !leftOut.has(row.name)) leftOut.set(row.name, 'work');
  }
  return { views, leftOut };
}

function furtherSteps(cold: PathsFolded, others: readonly PathsFolded[]): Evaluation['furtherSteps'] {
  const keyOf = ({ delegation, question }: Step) => `${delegation.zone} ${questionKey(question)}`;
  const known = new Set(others.length === 0 ? [] : stepsInOrder(cold.start, cold.pathView).map(keyOf));
  const further = new Map<Step, 'main' | 'lookup'>();
  for (const { start, pathView } of others) {
    const main = mainSteps(start);
    for (const step of stepsInOrder(start, pathView)) {
      if (known.has(keyOf(step))) continue;
      known.add(keyOf(step));
      further.set(step, main.has(step) ? 'main' : 'lookup');
    }
  }
  return further;
}

/** Every view of the table that the walks tell, with each end as it was recorded. */
function viewsOn(walks: Walks, { scope }: Recording): Views {
  const views = new Map<ViewName, EvaluatedView>();
  const leftOut = new Map<ProductViewRow['name'], WhyLeftOut>();
  for (const row of VIEWS) {
    const view = viewOn(row, walks);
    if (row.behaviour !== 'profile') {
      if (view !== undefined) views.set(row.name, view);
      continue;
    }
    const isAsked = scope.profiles?.includes(row.profile) && walks[row.start]?.products !== undefined;
    const cold = views.get(row.profile);
    // A variant is listed where it differs.
    const isVariant = variedBy(row.profile, scope.profiles ?? []) !== undefined;
    if (!isAsked || (isVariant ? view === undefined : row.start !== 'cold' && cold === undefined)) continue;
    if (view === undefined) leftOut.set(row.name, 'work');
    // A recording made before products were looked at warm lacks some questions of these walks alone.
    else if (cold !== undefined && isExamined(cold) && !isExamined(view)) leftOut.set(row.name, 'unasked');
    else views.set(row.name, view);
  }
  return { views, leftOut };
}

function viewOn(row: ViewRow, walks: Walks): EvaluatedView | undefined {
  const walk = walks[row.start];
  if (walk === undefined) return undefined;
  const { start, pathView, resolved, validators, products } = walk;
  switch (row.behaviour) {
    case 'final-picks':
      return { outcomes: outcomesOf(pathView.distribution(start)) };
    case 'abstract':
      return { outcomes: outcomesOf(resolved.view(resolved.start)) };
    case 'abstract-validating':
      return validators && { outcomes: validators.outcomes };
    case 'profile':
      return products?.get(row.profile);
  }
}

function isExamined({ outcomes }: EvaluatedView): boolean {
  return outcomes.every(({ end }) => unexamined(end) === undefined);
}

/** Ends as results have them. */
function shownView(view: EvaluatedView, shown: Shown): EvaluatedView {
  const { outcomes, asking } = view;
  const inTime = asking && { ...asking, outcomes: shown(asking.outcomes) };
  return { ...view, outcomes: shown(outcomes), ...(inTime && { asking: inTime }) };
}

/** The main walks of a recording, by what resolvers know at first. */
interface Walks extends Readonly<Record<ViewStart, StartedWalk | undefined>> {
  readonly cold: StartedWalk & PathsTimed;
}

/** What resolvers come to on a main walk. Undefined where nobody asked, and of products where they come to what cold ones do. */
interface StartedWalk extends WarmWalk {
  readonly validators: ValidatingView | undefined;
  readonly products: ReadonlyMap<ProfileName, ProductOutcomes> | undefined;
}

function walksIn(recording: Recording, world: EvaluatedWorld): Walks {
  const main = { recording, world };
  const ofCold = { ...main, start: { kind: 'cold' } } as const;
  const ofWarm = { ...main, start: { kind: 'warm' } } as const;
  const { profiles, warm: isWarm } = recording.scope;
  const cold = withResolver(ofCold, withinWork(ofCold, pathViewAndLatency));
  const warm = isWarm === 'on' ? withResolver(ofWarm, withinWork(ofWarm, pathViewAlone)) : undefined;
  const validators = viewOfValidators(main, cold.start);
  const products = (sets: NsSets, plain: ResolvedWalk, proven: ProvingWalk | undefined) =>
    outcomesOfProducts({ ...main, sets, plain, proven });
  return {
    cold: {
      ...cold,
      validators,
      products: profiles && products('delegated', cold.resolved, validators?.walk),
    },
    'own-ns-sets': warm && {
      ...warm,
      validators: undefined,
      products:
        profiles && warm.steps.some(leadsElsewhere)
          ? products('own', warm.resolved, validators && provingWalk(main, 'own'))
          : undefined,
    },
  };
}

/** Whether some own set of a zone has other servers than its delegation, or other addresses. */
function leadsElsewhere(step: Step): boolean {
  return (
    step.otherwise !== undefined &&
    [...step.visits.values()].map(ownSetOf).some((own) => own?.kind === 'step' && isElsewhere(own.step, step))
  );
}

/** Only with profiles, and where the resolver view was folded from the steps of the path view. */
function stickyAt(
  { scope }: Recording,
  start: Walk,
  resolved: ResolvedWalk,
  shown: Shown,
): Pick<Evaluation, 'sticky'> {
  if (scope.profiles === undefined || resolved.start !== start) return {};
  const sticky = stickySteps(start, resolved.view, shown);
  return sticky.length === 0 ? {} : { sticky };
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
  for (const step of steps) latencies.fold(step);
  return work.exceeded ? undefined : { ...folded, latency: latencies.of(start) };
}

/**
 * A main walk with the resolver view of it: of the steps that were unfolded for the path view if they are all, else of the
 * fewer steps that this view needs.
 */
function withResolver<Folded extends Unfolded>(
  main: MainWalk,
  folded: Folded,
): Folded & Pick<WarmWalk, 'resolved'> {
  const { maxWork } = main.recording.scope;
  const beside = folded.reach === 'whole' ? resolverViewAlone(folded, maxWork) : undefined;
  return { ...folded, resolved: beside ?? resolvingWithinWork(main, resolverViewAlone) };
}

function resolverViewAlone(unfolded: Unfolded, mostWork: number): ResolvedWalk | undefined {
  const view = resolverView(unfolded.steps, mostWork);
  return view && { ...unfolded, view };
}

function countPaths(start: Walk, steps: readonly Step[]): bigint {
  const view = new PathView(countingPaths);
  for (const step of steps) view.fold(step);
  const { portions } = view.distribution(start);
  return [...portions.values()].reduce((sum, parts) => sum + parts, 0n);
}
