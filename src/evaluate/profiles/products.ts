import { Work } from '../../base/work.ts';
import type { NsSets } from '../../explore/main-walks.ts';
import type { Behaviour } from '../../explore/profiles/profile.ts';
import {
  byStyle,
  PROFILE_NAMES,
  PROFILES,
  type ProfileName,
  type StyledProfiles,
} from '../../explore/profiles/profiles.ts';
import { minimisedQuestions } from '../../explore/profiles/stages.ts';
import { endKey } from '../end.ts';
import { fractionText } from '../fraction.ts';
import { ResolverView } from '../resolver-view.ts';
import type { Walk } from '../step.ts';
import { inLookups, mainSteps } from '../step-order.ts';
import type { ProvingWalk } from '../validating/validating-view.ts';
import { type Arrival, Arrivals } from '../visit/arrivals.ts';
import type { DrawTools } from '../visit/draw.ts';
import { Fold } from '../visit/fold.ts';
import { type ZoneProof, ZoneProofs } from '../visit/proof.ts';
import { type TimedEnd, TimedEnds } from '../visit/timed-ends.ts';
import { visiting } from '../visit/visiting.ts';
import { resolvingWithinWork, type Unfolded } from '../within-work.ts';
import type { MainWalk } from '../world.ts';
import { type DeviationAt, deviationsAt } from './deviations.ts';
import { type InTime, inTime } from './in-time.ts';

/** The part of the most work that each profile may take: hostile zones can make each of them take all of it. */
const WORK_OF_PROFILE = 1 / 3;

/** What users of a product get that starts in one way. */
export interface ProductOutcomes extends InTime {
  readonly deviations: readonly DeviationAt[];
  /** The outcomes of users whose programs ask for validation, where the product validates for these alone and that differs. */
  readonly validating?: InTime;
}

/** The steps of a walk, with what lookups on it come to. */
export interface ResolvedWalk extends Unfolded {
  readonly resolverView: ResolverView;
}

/** A main walk, and where the walk begins on which replies are proven; undefined: nothing is validated. */
export interface WalkOfProducts extends Pick<MainWalk, 'recording' | 'world'> {
  readonly sets: NsSets;
  /** The walk of those that have no name to minimise on it. */
  readonly plain: ResolvedWalk;
  readonly proven: ProvingWalk | undefined;
}

/**
 * The outcomes of each product's users, by name in the order of the table: svc-model(7), PROFILES. Those are left out that take
 * more work than there may be, be it at the first step.
 */
export function outcomesOfProducts(
  names: readonly ProfileName[],
  walk: WalkOfProducts,
): ReadonlyMap<ProfileName, ProductOutcomes> {
  const found = new Map(byStyle(names).flatMap((styled) => [...ofStyle(styled, walk)]));
  return new Map(
    PROFILE_NAMES.flatMap((name) => {
      const outcomes = found.get(name);
      return outcomes === undefined ? [] : [[name, outcomes] as const];
    }),
  );
}

function ofStyle(styled: StyledProfiles, walk: WalkOfProducts): ReadonlyMap<ProfileName, ProductOutcomes> {
  const { recording, world, sets, plain } = walk;
  if (!hasNamesToMinimise(styled, plain)) return folded(styled, plain, walk);
  const main = { recording, world, start: { kind: 'minimised', styled, sets } } as const;
  return resolvingWithinWork(main, (unfolded, mostWork) => {
    const work = new Work(mostWork);
    const resolverView = new ResolverView(work);
    for (const step of inLookups(unfolded.steps)) resolverView.fold(step);
    return work.exceeded ? undefined : folded(styled, { ...unfolded, resolverView }, walk);
  });
}

function hasNamesToMinimise({ style }: StyledProfiles, { start }: Unfolded): boolean {
  return [...mainSteps(start)].some(
    ({ delegation, question }) => minimisedQuestions(style, delegation.zone, question).length > 0,
  );
}

function folded(
  { names }: StyledProfiles,
  { start, resolverView: { distribution: lookups } }: ResolvedWalk,
  { recording, proven }: WalkOfProducts,
): ReadonlyMap<ProfileName, ProductOutcomes> {
  const proof = proven && new ZoneProofs(recording, proven.lookups).at(proven.start, 'wanted');
  const outcomes = new Map<ProfileName, ProductOutcomes>();
  for (const name of names) {
    const profile = PROFILES[name];
    const work = new Work(recording.scope.maxWork * WORK_OF_PROFILE);
    const walk = new ResolverWalk(profile, start, { lookups, work });
    const provable = walk.arrivals(proof);
    // Where no zone is signed, to validate changes nothing.
    const isSigned = provable.some((arrival) => arrival.proof?.keys !== undefined);
    const asking = isSigned ? walk.outcomes(proof) : undefined;
    const given = isSigned && profile.validation.clients === 'all' ? asking : walk.outcomes(undefined);
    // Servers that fail in many ways can make it too much work: the result says that the profile was left out.
    if (given === undefined || (isSigned && asking === undefined)) continue;
    const validating = asking !== undefined && spelled(asking) !== spelled(given) ? asking : undefined;
    const deviations = deviationsAt([...provable].reverse(), profile, work);
    outcomes.set(name, { ...given, deviations, ...(validating && { validating }) });
  }
  return outcomes;
}

/**
 * What users of a resolver with any behaviour get that asks for no minimised names; with `proven`, of one that validates.
 * Undefined where that is too much work.
 */
export function outcomesOfBehaviour(
  behaviour: Behaviour,
  { recording, plain, proven }: WalkOfProducts,
): InTime | undefined {
  const { start, resolverView } = plain;
  const work = new Work(recording.scope.maxWork);
  const proof = proven && new ZoneProofs(recording, proven.lookups).at(proven.start, 'wanted');
  return new ResolverWalk(behaviour, start, { lookups: resolverView.distribution, work }).outcomes(proof);
}

/** The walk of a resolver from zone to zone. */
class ResolverWalk {
  readonly #behaviour: Behaviour;
  readonly #start: Walk;
  readonly #tools: DrawTools;
  readonly #arrivals: Arrivals;

  constructor(behaviour: Behaviour, start: Walk, tools: DrawTools) {
    this.#behaviour = behaviour;
    this.#start = start;
    this.#tools = tools;
    this.#arrivals = new Arrivals(behaviour.ownSet);
  }

  #first(proof: ZoneProof | undefined): Arrival | undefined {
    return this.#start.kind === 'cut' ? undefined : this.#arrivals.at(this.#start.step, proof);
  }

  /** Each after all that it may lead to. */
  arrivals(proof: ZoneProof | undefined): readonly Arrival[] {
    const first = this.#first(proof);
    return first === undefined ? [] : this.#arrivals.below(first);
  }

  /** Undefined where that is too much work. */
  outcomes(proof: ZoneProof | undefined): InTime | undefined {
    const { work } = this.#tools;
    const tools = { ...this.#tools, behaviour: this.#behaviour, arrivals: this.#arrivals };
    const fold = new Fold<TimedEnd>(new TimedEnds(), visiting(tools), work);
    for (const arrival of this.arrivals(proof)) fold.fold(arrival);
    return work.exceeded ? undefined : inTime(fold.from(this.#start, this.#first(proof)), this.#behaviour);
  }
}

function spelled({ outcomes, late }: InTime): string {
  const ends = outcomes.map(({ end, probability }) => `${fractionText(probability)} ${endKey(end)}`);
  return [...ends, late === undefined ? 'in time' : fractionText(late)].join('\n\n');
}
