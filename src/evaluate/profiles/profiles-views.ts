import { getOrMake } from '../../base/memo.ts';
import { Work, workOf } from '../../base/work.ts';
import {
  byStyle,
  PROFILE_NAMES,
  PROFILES,
  type ProfileName,
  type StyledProfiles,
} from '../../explore/profiles/profiles.ts';
import { minimisedQuestions } from '../../explore/profiles/stages.ts';
import { Collector, certainly, type Distribution } from '../distribution.ts';
import { endKey } from '../end.ts';
import { digitsOf, fractionText } from '../fraction.ts';
import { ResolverView } from '../resolver-view.ts';
import { type Step, type Walk, walkAfter } from '../step.ts';
import { inLookups, mainSteps } from '../step-order.ts';
import type { ServerState } from '../validating/step-to-validate.ts';
import type { ValidatingView } from '../validating/validating-view.ts';
import { workOfFold } from '../views/branches.ts';
import { stateOf, type ZoneProof, ZoneProofs } from '../visit/proof.ts';
import { type Arrival, endedIn, type Onward, stagesFrom, type VisitTools } from '../visit/servers.ts';
import { type TimedEnd, TimedEnds } from '../visit/timed-ends.ts';
import { visitZone } from '../visit/visit.ts';
import { resolvingWithinWork, type Unfolded } from '../within-work.ts';
import type { MainWalk } from '../world.ts';
import { type DeviationAt, deviationsAt } from './deviations.ts';
import { type InTime, inTime } from './in-time.ts';

/** The part of the most work that each profile may take: hostile zones can make each of them take all of it. */
const WORK_OF_PROFILE = 1 / 3;

/** The outcomes of a product's users. */
export interface ProfileOutcomes extends InTime {
  readonly name: ProfileName;
  readonly deviations: readonly DeviationAt[];
  /** The outcomes of users whose programs ask for validation, where the product validates for these alone and that differs. */
  readonly validating?: InTime;
}

/** The steps of a cold walk, with what lookups on it come to. */
interface ResolvedWalk extends Unfolded {
  readonly resolverView: ResolverView;
}

/**
 * The outcomes of each product's users, in the order of the table: svc-model(7), PROFILES. Undefined where no profile was asked
 * for. `cold`: the cold walk, which is also that of resolvers that have no name to minimise on it.
 */
export function viewsOfProfiles(
  main: Omit<MainWalk, 'start'>,
  cold: ResolvedWalk,
  validating: ValidatingView | undefined,
): readonly ProfileOutcomes[] | undefined {
  const { profiles } = main.recording.scope;
  if (profiles === undefined) return undefined;
  const proving = validating && { start: validating.start, proofs: new ZoneProofs(main.recording) };
  const views = new Map<ProfileName, ProfileOutcomes>();
  for (const styled of byStyle(profiles))
    for (const view of foldedFor(styled, { ...main, proving }, cold)) views.set(view.name, view);
  return PROFILE_NAMES.flatMap((name) => views.get(name) ?? []);
}

/** A main walk, and what it takes to say what is proven on it; undefined: nothing is validated. */
interface ProvableWalk extends Omit<MainWalk, 'start'> {
  readonly proving: { readonly start: Walk; readonly proofs: ZoneProofs } | undefined;
}

function spelled({ outcomes, late }: InTime): string {
  const ends = outcomes.map(({ end, probability }) => `${fractionText(probability)} ${endKey(end)}`);
  return [...ends, late === undefined ? 'in time' : fractionText(late)].join('\n\n');
}

function foldedFor(
  styled: StyledProfiles,
  main: ProvableWalk,
  cold: ResolvedWalk,
): readonly ProfileOutcomes[] {
  if (!hasNamesToMinimise(styled, cold)) return foldProfiles(styled, cold, cold.resolverView, main);
  const walk = { ...main, start: { kind: 'minimised', styled, sets: 'delegated' } } as const;
  return resolvingWithinWork(walk, (unfolded, mostWork) => {
    const work = new Work(mostWork);
    const lookups = new ResolverView(work);
    for (const step of inLookups(unfolded.steps)) lookups.fold(step);
    return work.exceeded ? undefined : foldProfiles(styled, unfolded, lookups, main);
  });
}

function hasNamesToMinimise({ style }: StyledProfiles, { start }: Unfolded): boolean {
  return [...mainSteps(start)].some(
    ({ delegation, question }) => minimisedQuestions(style, delegation.zone, question).length > 0,
  );
}

/** Without those that take more work than there may be, be it at the first step. */
function foldProfiles(
  { names }: StyledProfiles,
  { start, steps }: Unfolded,
  { distribution: lookups }: ResolverView,
  { recording, proving }: ProvableWalk,
): readonly ProfileOutcomes[] {
  const proof = proving?.proofs.at(proving.start, 'wanted');
  const provable = arrivalsFrom(start, proof);
  // Where no zone is signed, to validate changes nothing.
  const isSigned = provable.some((arrival) => arrival.proof?.keys !== undefined);
  const unproven = isSigned ? arrivalsFrom(start, undefined) : provable;
  const folded: ProfileOutcomes[] = [];
  for (const name of names) {
    const profile = PROFILES[name];
    const work = new Work(recording.scope.maxWork * WORK_OF_PROFILE);
    const fold = (all: readonly Arrival[]): InTime | undefined => {
      const view = new ProfileView({ behaviour: profile, lookups, work });
      for (const arrival of inOrder(all, steps)) view.fold(arrival);
      // Servers that fail in many ways can make it too much work: the result says that the profile was left out.
      return work.exceeded ? undefined : inTime(view.from(start, all[0]?.proof), profile);
    };
    const proven = isSigned ? fold(provable) : undefined;
    const given = isSigned && profile.validation.clients === 'all' ? proven : fold(unproven);
    if (given === undefined || (isSigned && proven === undefined)) continue;
    const validating = proven !== undefined && spelled(proven) !== spelled(given) ? proven : undefined;
    const deviations = deviationsAt(provable, profile, work);
    folded.push({ name, deviations, ...given, ...(validating && { validating }) });
  }
  return folded;
}

/** The zones that a resolver comes to, the first one first: what it asks there besides is part of the same visit. */
function arrivalsFrom(start: Walk, proof: ZoneProof | undefined): readonly Arrival[] {
  const known = new Map<Step, Set<ZoneProof | undefined>>();
  const arrivals: Arrival[] = [];
  const arrive = (walk: Walk, at: ZoneProof | undefined) => {
    if (walk.kind !== 'step') return;
    const proofs = getOrMake(known, walk.step, () => new Set<ZoneProof | undefined>());
    if (proofs.has(at)) return;
    proofs.add(at);
    arrivals.push({ step: walk.step, proof: at });
  };
  arrive(start, proof);
  for (const arrival of arrivals)
    for (const step of stagesFrom(arrival.step))
      for (const [visits, state] of reached(step))
        for (const [address, visit] of visits) {
          const walk = walkAfter(visit);
          if (walk?.kind === 'step') arrive(walk, arrival.proof?.after(state, address, walk.step));
        }
  return arrivals;
}

function reached(step: Step): ReadonlyMap<Step['visits'], ServerState> {
  return new Map([
    ...step.servers.map((server) => [server.visits, stateOf(step, server)] as const),
    [step.visits, 'up'],
  ]);
}

/** The arrivals in the order of their steps, each after all that it leads to. */
function inOrder(arrivals: readonly Arrival[], steps: readonly Step[]): readonly Arrival[] {
  const at = new Map<Step, Arrival[]>();
  for (const arrival of arrivals) getOrMake(at, arrival.step, () => []).push(arrival);
  return steps.flatMap((step) => at.get(step) ?? []);
}

/**
 * The ends of a product's users, and their times: svc-model(7), PROFILES. It picks, believes, retries and gives up as its profile
 * says. Once folding took more work than there may be, every distribution is void.
 */
class ProfileView {
  readonly #tools: VisitTools;
  readonly #ends = new TimedEnds();
  readonly #distributions = new Map<Step, Map<ZoneProof | undefined, Distribution<TimedEnd>>>();

  constructor(tools: VisitTools) {
    this.#tools = tools;
  }

  /** From the start of a walk, which arrives there first if it arrives anywhere. */
  from(start: Walk, proof: ZoneProof | undefined): Distribution<TimedEnd> {
    return this.#after(
      start.kind === 'cut' ? endedIn(start.end) : { kind: 'zone', arrival: { step: start.step, proof } },
    );
  }

  #after(to: Onward): Distribution<TimedEnd> {
    return to.kind === 'end' ? certainly(this.#ends.at(to.end, 0)) : this.#at(to.arrival);
  }

  #at({ step, proof }: Arrival): Distribution<TimedEnd> {
    const distribution = this.#distributions.get(step)?.get(proof);
    if (distribution === undefined) throw new Error('a step was not folded before those that lead to it');
    return distribution;
  }

  /** Folds an arrival at a zone, after all that it leads to. */
  fold(arrival: Arrival): void {
    const { work } = this.#tools;
    if (work.exceeded) return;
    const departures = visitZone(arrival, this.#tools);
    if (work.exceeded) return;
    const collector = new Collector<TimedEnd>();
    for (const { to, after } of departures) {
      const reached = this.#after(to);
      const digits = digitsOf(reached.whole);
      // Each moment of the departure makes each end a later one.
      const later = after.size * reached.portions.size;
      if (work.spend(workOf('momentDigit', later * digits)) === 'exceeded') return;
      for (const [spent, weight] of after) collector.addAll(this.#ends.later(reached, spent), weight);
    }
    const { distribution } = collector;
    const { step, proof } = arrival;
    getOrMake(this.#distributions, step, () => new Map<ZoneProof | undefined, Distribution<TimedEnd>>()).set(
      proof,
      distribution,
    );
    work.spend(workOfFold({ distribution, ends: collector.count, picks: step.servers.length }));
  }
}
