import { Work } from '../base/work.ts';
import { hostsElsewhere } from '../explore/delegation.ts';
import type { NsSets } from '../explore/main-walks.ts';
import type { Behaviour, Profile } from '../explore/profiles/profile.ts';
import {
  byStyle,
  PROFILES,
  type ProfileName,
  type StyledProfiles,
  todaysProfile,
  usualProfile,
} from '../explore/profiles/profiles.ts';
import { minimisedQuestions } from '../explore/profiles/stages.ts';
import type { Recording, Scope } from '../explore/recording.ts';
import { saysTheSame } from '../explore/same-reply.ts';
import { endKey, isProvable, isSameEnd } from './end.ts';
import { equals, toNumber, ZERO } from './fraction.ts';
import { type DeviationAt, deviationsAt } from './profiles/deviations.ts';
import { type InTime, inTime } from './profiles/in-time.ts';
import { mayResolveOtherwise, variedBy } from './profiles/variants.ts';
import { type ResolverView, type ResolverWalk, resolverView, resolverWalk } from './resolver-view.ts';
import type { Step } from './step.ts';
import { inLookups, mainSteps } from './step-order.ts';
import { type ProvingWalk, provingWalk } from './validating/validating-view.ts';
import type { Arrival } from './visit/arrivals.ts';
import { type ZoneProof, ZoneProofs } from './visit/proof.ts';
import { heardMs } from './visit/servers.ts';
import { TimedEnds } from './visit/timed-ends.ts';
import { resolvingWithinWork, type Unfolded } from './within-work.ts';
import { AS_RECORDED, type MainWalk } from './world.ts';

/** What users of a product get. */
export interface ProductOutcomes extends InTime {
  readonly deviations: readonly DeviationAt[];
  /** The outcomes of users whose programs ask for validation, where the product validates for these alone and that differs. */
  readonly asking?: InTime;
}

/** What its users get in a view, or where first tries end: the most probable first; they sum to exactly 1. */
export type EvaluatedView = InTime & Partial<Omit<ProductOutcomes, keyof InTime>>;

/** The steps of a walk, with what lookups on it come to. */
export interface ResolvedWalk extends Unfolded {
  readonly view: ResolverView;
}

/** The main walk of products that start in one way. */
interface WalkOfProducts extends Pick<MainWalk, 'recording' | 'world'> {
  readonly sets: NsSets;
  /** The walk of those that have no name to minimise on it. */
  readonly plain: ResolvedWalk;
  /** The walk on which replies are proven; undefined: nothing is validated. */
  readonly proven: ProvingWalk | undefined;
}

/** The part of the most work that each profile may take: hostile zones can make each of them take all of it. */
const WORK_OF_PROFILE = 1 / 3;

/**
 * The outcomes of each product's users: svc-model(7), PROFILES. Those are left out that take more work than there may be, be
 * it at the first step.
 */
export function outcomesOfProducts(walk: WalkOfProducts): ReadonlyMap<ProfileName, ProductOutcomes> {
  const { profiles = [] } = walk.recording.scope;
  const ofNames = (names: readonly ProfileName[]) =>
    byStyle(names).flatMap((styled) => [...ofStyle(styled, walk)]);
  const isVariant = (name: ProfileName) => profiles.some((other) => other === variedBy(name, profiles));
  const usual = new Map(ofNames(profiles.filter((name) => !isVariant(name))));
  const variants = profiles.filter((name) => isVariant(name) && mayDiffer(name, usual, walk));
  const differing = ofNames(variants).filter(([name, outcomes]) => {
    const other = usual.get(variedBy(name, profiles) ?? name);
    return other === undefined || !isNearly(outcomes, other);
  });
  return new Map([...usual, ...differing]);
}

/** Whether users of a variant may get something else than those of the profile that it varies. */
function mayDiffer(
  name: ProfileName,
  usual: ReadonlyMap<ProfileName, ProductOutcomes>,
  walk: WalkOfProducts,
): boolean {
  const today = todaysProfile(name);
  const outcomes = usual.get(today ?? usualProfile(name) ?? name);
  // At the delegation its users may get something else than at the own set.
  const isOftenElsewhere =
    today !== undefined && PROFILES[name].ownSet.asked !== PROFILES[today].ownSet.asked;
  if (walk.sets === 'own' && isOftenElsewhere) return true;
  const { plain } = walk;
  const mostMs = PROFILES[name].time.toNextTry[0];
  const areAlike = !doServersDiffer(plain, () => true) && !isAnyLate(plain, mostMs);
  if (outcomes !== undefined && isPlain(outcomes) && areAlike) return false;
  return outcomes === undefined || mayResolveOtherwise(name, walk);
}

/** Whether a reply took longer than that. */
function isAnyLate({ start }: Unfolded, mostMs: number): boolean {
  return [...mainSteps(start)].some(({ visits }) =>
    [...visits.values()].some((visit) => visit.kind === 'asked' && (heardMs(visit) ?? mostMs) >= mostMs),
  );
}

/** Whether all users get the same answer or denial in time: then those of an earlier version do, too. */
function isPlain({ outcomes: [only, ...others], late, asking }: ProductOutcomes): boolean {
  return (
    others.length === 0 &&
    late === undefined &&
    asking === undefined &&
    only !== undefined &&
    isProvable(only.end)
  );
}

/** Whether no share differs by more than a point. */
function isNearly(one: InTime, other: InTime): boolean {
  const shares = (inTime: InTime) =>
    new Map<string, number>([
      ...inTime.outcomes.map(({ end, probability }) => [endKey(end), toNumber(probability)] as const),
      ['late', toNumber(inTime.late ?? ZERO)],
    ]);
  const [of, ofOther] = [shares(one), shares(other)];
  return [...new Set([...of.keys(), ...ofOther.keys()])].every(
    (key) => Math.abs((of.get(key) ?? 0) - (ofOther.get(key) ?? 0)) <= POINT,
  );
}

/** A hundredth, and what fractions lose as numbers. */
const POINT = 0.01 + 1e-9;

function ofStyle(styled: StyledProfiles, walk: WalkOfProducts): ReadonlyMap<ProfileName, ProductOutcomes> {
  const { recording, world, sets, plain } = walk;
  if (!hasNamesToMinimise(styled, plain) && !isInDoubt(plain, recording.scope))
    return outcomesOn(plain, styled, walk);
  const main = { recording, world, start: { kind: 'minimised', styled, sets } } as const;
  return resolvingWithinWork(main, (unfolded, mostWork) => {
    const view = resolverView(inLookups(unfolded.steps), mostWork);
    return view && outcomesOn({ ...unfolded, view }, styled, walk);
  });
}

/** Where resolvers have one family only, they ask over that one. */
function inFamilies(profile: Profile, families: Scope['families']): Profile {
  return families.length > 1 ? profile : { ...profile, families: { kind: 'all' } };
}

/** Whether it may matter at some zone which addresses of its servers a resolver takes. */
function isInDoubt(walk: Unfolded, { families }: Scope): boolean {
  return doServersDiffer(walk, ({ delegation }) => hostsElsewhere(delegation, families).length > 0);
}

/** Whether the servers of a zone, of those that are looked at, do not all say the same, or one of them fails. */
function doServersDiffer({ start }: Unfolded, isLookedAt: (step: Step) => boolean): boolean {
  return [...mainSteps(start)].some((step) => {
    if (!isLookedAt(step)) return false;
    const said = [...step.visits.values()].flatMap((visit) =>
      visit.kind === 'asked' ? [visit.meaning] : [],
    );
    const [first] = said;
    return first !== undefined && !said.every((one) => saysTheSame(first, one));
  });
}

function hasNamesToMinimise({ style }: StyledProfiles, { start }: Unfolded): boolean {
  return [...mainSteps(start)].some(
    ({ delegation, question }) => minimisedQuestions(style, delegation.zone, question).length > 0,
  );
}

function outcomesOn(
  { start, view: lookups }: ResolvedWalk,
  { names }: StyledProfiles,
  { recording, proven }: WalkOfProducts,
): ReadonlyMap<ProfileName, ProductOutcomes> {
  const proof = proofOn(recording, proven);
  const outcomes = new Map<ProfileName, ProductOutcomes>();
  for (const name of names) {
    const profile = inFamilies(PROFILES[name], recording.scope.families);
    const work = new Work(recording.scope.maxWork * WORK_OF_PROFILE);
    const tools = { lookups, work };
    const proving = resolverWalk(profile, start, tools, proof);
    // Where no zone is signed, to validate changes nothing.
    const isSigned = proving.arrivals.some((arrival) => arrival.proof?.keys !== undefined);
    const asking = isSigned ? timed(proving, profile) : undefined;
    const isForAll = isSigned && profile.validation.clients === 'all';
    const given = isForAll ? asking : timed(resolverWalk(profile, start, tools), profile);
    // Servers that fail in many ways can make it too much work: the result says that the profile was left out.
    if (given === undefined || (isSigned && asking === undefined)) continue;
    const deviations = deviationsAt([...(asking ?? given).met()], profile, work);
    const differs = asking !== undefined && !isSame(asking.inTime, given.inTime);
    outcomes.set(name, { ...given.inTime, deviations, ...(differs && { asking: asking.inTime }) });
  }
  return outcomes;
}

function proofOn(recording: Recording, proven: ProvingWalk | undefined): ZoneProof | undefined {
  return proven && new ZoneProofs(recording, proven.lookups).at(proven.start, 'wanted');
}

/** What users get, and the zones that resolvers come to. */
interface Timed {
  readonly inTime: InTime;
  readonly met: () => ReadonlySet<Arrival>;
}

function timed(walk: ResolverWalk, behaviour: Behaviour): Timed | undefined {
  const folded = walk.folded(new TimedEnds());
  return folded && { inTime: inTime(folded.distribution, behaviour), met: folded.met };
}

/** Outcomes come in an order that depends on them alone. */
function isSame(one: InTime, other: InTime): boolean {
  return (
    equals(one.late ?? ZERO, other.late ?? ZERO) &&
    one.outcomes.length === other.outcomes.length &&
    one.outcomes.every(({ end, probability }, at) => {
      const same = other.outcomes[at];
      return same !== undefined && isSameEnd(end, same.end) && equals(probability, same.probability);
    })
  );
}

/**
 * What users of a resolver with any behaviour get, cold, that asks for no minimised names. Its replies are validated if the
 * recording was made to tell and the behaviour does. Undefined where that is too much work.
 */
export function outcomesWith(recording: Recording, behaviour: Behaviour): InTime | undefined {
  const main = { recording, world: AS_RECORDED } as const;
  const isProven = recording.scope.dnssec?.validation !== undefined && behaviour.validation !== undefined;
  return resolvingWithinWork({ ...main, start: { kind: 'cold' } }, (unfolded, mostWork) => {
    const lookups = resolverView(unfolded.steps, mostWork);
    if (lookups === undefined) return undefined;
    const proof = proofOn(recording, isProven ? provingWalk(main, 'delegated') : undefined);
    const tools = { lookups, work: new Work(recording.scope.maxWork) };
    return timed(resolverWalk(behaviour, unfolded.start, tools, proof), behaviour)?.inTime;
  });
}
