import { getOrMake } from '../../base/memo.ts';
import { forEachInTurn, type Pausable } from '../../base/pausable.ts';
import { PROFILE_NAMES, type ProfileName } from '../../base/profile-names.ts';
import { Work, workOf } from '../../base/work.ts';
import type { Profile } from '../../explore/profiles/profile.ts';
import { byStyle, PROFILES, type StyledProfiles } from '../../explore/profiles/profiles.ts';
import { minimisedQuestions } from '../../explore/profiles/stages.ts';
import { Collector, certainly, type Distribution, type Outcome, outcomesOf } from '../distribution.ts';
import { type End, endKey } from '../end.ts';
import { digitsOf, fractionText } from '../fraction.ts';
import { ResolverView } from '../resolver-view.ts';
import { type Step, type Walk, walkAfter } from '../step.ts';
import { inLookups, mainSteps } from '../step-order.ts';
import type { ValidatingView } from '../validating/validating-view.ts';
import { workOfFold } from '../views/branches.ts';
import { resolvingWithinWork, type Unfolded } from '../within-work.ts';
import type { MainWalk } from '../world.ts';
import { endingBeforeWholeName } from './before-whole-name.ts';
import { type InTime, inTime } from './in-time.ts';
import { type TimedEnd, TimedEnds } from './timed-ends.ts';
import type { VisitTools } from './zone-servers.ts';
import { visitZone } from './zone-visit.ts';

/** The part of the most work that each profile may take: hostile zones can make each of them take all of it. */
const WORK_OF_PROFILE = 1 / 3;

/** What users of a product get. */
export interface ProfileOutcomes extends InTime {
  readonly name: ProfileName;
  /** What those get whose programs ask for validation, where the product validates for these alone and that differs. */
  readonly validating?: InTime;
}

/** The steps of a cold walk, with what lookups on it come to. */
interface ResolvedWalk extends Unfolded {
  readonly resolverView: ResolverView;
}

/**
 * What users of each product get, in the order of the table: svc-model(7), PROFILES. Undefined where no profile was asked
 * for. `cold`: the cold walk, which is also that of resolvers that have no name to minimise on it.
 */
export function* viewsOfProfiles(
  main: Omit<MainWalk, 'start'>,
  cold: ResolvedWalk,
  validating: ValidatingView | undefined,
): Pausable<readonly ProfileOutcomes[] | undefined> {
  const { profiles } = main.recording.scope;
  if (profiles === undefined) return undefined;
  const views = new Map<ProfileName, ProfileOutcomes>();
  for (const styled of byStyle(profiles)) {
    const { start, folded } = yield* foldedFor(styled, main, cold);
    for (const [name, view] of folded) {
      const given = inTime(view.distribution(start), PROFILES[name]);
      const validated = yield* whereProofMatters(PROFILES[name], cold, validating);
      const proven = validated && endingBeforeWholeName(given, validated, cold.start);
      views.set(name, { name, ...forClients(PROFILES[name], given, proven) });
    }
  }
  return PROFILE_NAMES.flatMap((name) => views.get(name) ?? []);
}

function forClients(
  { validation }: Profile,
  given: InTime,
  proven: InTime | undefined,
): Omit<ProfileOutcomes, 'name'> {
  if (proven === undefined) return given;
  return validation.clients === 'all' ? proven : { ...given, validating: proven };
}

/**
 * What a resolver gives that validates in the reading of its profile and picks in its order, where validating changes
 * anything: all that comes to the whole name, and time does not count. Undefined: it changes nothing.
 */
function* whereProofMatters(
  { picks, validation: { onBogus } }: Profile,
  { start, resolverView }: ResolvedWalk,
  validating: ValidatingView | undefined,
): Pausable<InTime | undefined> {
  if (validating === undefined) return undefined;
  const read = onBogus === 'tries-on' ? validating.outcomes : validating.firstTryOutcomes;
  const plain = outcomesOf(resolverView.distribution(start));
  if (spelled(withoutProof(read)) === spelled(plain)) return undefined;
  const distribution = yield* validating.inOrder(picks, onBogus);
  return distribution && { outcomes: withoutProof(outcomesOf(distribution)) };
}

/** Ends that differ only in whether they are proven, put together. */
function withoutProof(outcomes: readonly Outcome[]): readonly Outcome[] {
  const collector = new Collector();
  const distinct = new Map<string, End>();
  for (const { end: given, probability } of outcomes) {
    const end = withoutSecurity(given);
    collector.add(
      getOrMake(distinct, endKey(end), () => end),
      probability,
    );
  }
  return outcomesOf(collector.distribution);
}

function withoutSecurity(end: End): End {
  if (!('security' in end)) return end;
  const { security: _, ...rest } = end;
  return rest;
}

function spelled(outcomes: readonly Outcome[]): string {
  return outcomes.map(({ end, probability }) => `${fractionText(probability)} ${endKey(end)}`).join('\n\n');
}

/** The views of profiles of one style, folded from the steps of one walk. */
interface FoldedProfiles extends Pick<Unfolded, 'start'> {
  readonly folded: readonly (readonly [ProfileName, ProfileView])[];
}

function* foldedFor(
  styled: StyledProfiles,
  main: Omit<MainWalk, 'start'>,
  cold: ResolvedWalk,
): Pausable<FoldedProfiles> {
  const { maxWork } = main.recording.scope;
  const asCold = hasNamesToMinimise(styled, cold)
    ? undefined
    : yield* foldProfiles(styled, cold, cold.resolverView, maxWork);
  if (asCold !== undefined) return asCold;
  const walk = { ...main, start: { kind: 'minimised', styled } } as const;
  return yield* resolvingWithinWork(walk, function* (unfolded, mostWork) {
    const work = new Work(mostWork);
    const lookups = new ResolverView(work);
    yield* forEachInTurn(inLookups(unfolded.steps), (step) => lookups.fold(step));
    return work.exceeded ? undefined : yield* foldProfiles(styled, unfolded, lookups, maxWork);
  });
}

function hasNamesToMinimise({ style }: StyledProfiles, { start }: Unfolded): boolean {
  return [...mainSteps(start)].some(
    ({ delegation, question }) => minimisedQuestions(style, delegation.zone, question).length > 0,
  );
}

/** Without those that take more than their part of `maxWork`, be it at the first step. */
function* foldProfiles(
  { names }: StyledProfiles,
  { start, steps }: Unfolded,
  lookups: ResolverView,
  maxWork: number,
): Pausable<FoldedProfiles> {
  const arrivals = arrivedAt(start, mainSteps(start));
  const inMain = steps.filter((step) => arrivals.has(step));
  const folded: (readonly [ProfileName, ProfileView])[] = [];
  for (const name of names) {
    const work = new Work(maxWork * WORK_OF_PROFILE);
    const view = new ProfileView({ profile: PROFILES[name], lookups: lookups.distribution, work });
    yield* forEachInTurn(inMain, (step) => view.fold(step));
    // Servers that fail in many ways can make it too much work: the result says that the profile was left out.
    if (!work.exceeded) folded.push([name, view]);
  }
  return { start, folded };
}

/** The steps with which a resolver comes to a zone: what it asks there besides is part of the same visit. */
function arrivedAt(start: Walk, onWalk: Iterable<Step>): ReadonlySet<Step> {
  const arrivals = new Set<Step>(start.kind === 'step' ? [start.step] : []);
  for (const { visits, servers } of onWalk)
    for (const all of [visits, ...servers.map((server) => server.visits)])
      for (const visit of all.values()) {
        const walk = walkAfter(visit);
        if (walk?.kind === 'step') arrivals.add(walk.step);
      }
  return arrivals;
}

/**
 * Where users of a product end, and when: svc-model(7), PROFILES. It picks, believes, retries and gives up as its profile
 * says. Once folding took more work than there may be, every distribution is void.
 */
class ProfileView {
  readonly #tools: VisitTools;
  readonly #ends = new TimedEnds();
  readonly #distributions = new Map<Step, Distribution<TimedEnd>>();

  constructor(tools: VisitTools) {
    this.#tools = tools;
  }

  distribution(walk: Walk): Distribution<TimedEnd> {
    if (walk.kind === 'cut') return certainly(this.#ends.at(walk.end, 0));
    const distribution = this.#distributions.get(walk.step);
    if (distribution === undefined) throw new Error('a step was not folded before those that lead to it');
    return distribution;
  }

  /** Folds a step of the main walk with which a resolver comes to a zone, after all that it leads to. */
  fold(step: Step): void {
    const { work } = this.#tools;
    if (work.exceeded) return;
    const departures = visitZone(step, this.#tools);
    if (work.exceeded) return;
    const collector = new Collector<TimedEnd>();
    for (const { to, after } of departures) {
      const reached = this.distribution(to);
      const digits = digitsOf(reached.whole);
      // Each moment of the departure makes each end a later one.
      const later = after.size * reached.portions.size;
      if (work.spend(workOf('momentDigit', later * digits)) === 'exceeded') return;
      for (const [spent, weight] of after) collector.addAll(this.#ends.later(reached, spent), weight);
    }
    const { distribution } = collector;
    this.#distributions.set(step, distribution);
    work.spend(workOfFold({ distribution, ends: collector.count, picks: step.servers.length }));
  }
}
