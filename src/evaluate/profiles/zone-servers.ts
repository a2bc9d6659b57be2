/* The servers of a zone as a resolver product finds them: their addresses, its stages of minimisation, where replies lead. */

import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import { nsecsIn } from '../../dns/dnssec/denial-records.ts';
import { nsecNoData } from '../../dns/dnssec/nsec.ts';
import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import { isFound } from '../../dns/dnssec/verdict.ts';
import { type Name, parentOf } from '../../dns/name.ts';
import { isUsable } from '../../explore/meaning.ts';
import type {
  BogusReaction,
  DenialReaction,
  MinimisedReaction,
  Profile,
  WholeReaction,
} from '../../explore/profiles/profile.ts';
import { reactionToMinimised, reactionToWhole } from '../../explore/profiles/reactions.ts';
import type { Distribution } from '../distribution.ts';
import type { End } from '../end.ts';
import { type Fraction, multiply, ONE } from '../fraction.ts';
import { type AddressWay, addressWays } from '../resolver-view.ts';
import {
  type AddressOutcomes,
  type Step,
  type TimedOutcome,
  type Visit,
  visitAt,
  type Walk,
  walkAfter,
} from '../step.ts';
import { stateOf, type ZoneProof } from './zone-proof.ts';

/** A product, the ends of lookups, and the work that may be spent: all that a visit of a zone needs. */
export interface VisitTools {
  readonly profile: Profile;
  /** The ends of lookups. */
  readonly lookups: (walk: Walk) => Distribution;
  readonly work: Work;
}

/** A zone as a resolver comes to it: its first question there, and what is proven; undefined: nothing is validated. */
export interface Arrival {
  readonly step: Step;
  readonly proof: ZoneProof | undefined;
}

/** The questions that a resolver may put to the servers of a zone, one after another: the minimised ones, the whole name last. */
export type Stages = readonly Step[];

/** The reaction of a resolver to an address at one stage. */
export interface Behaviour {
  /** The time of the reply, in milliseconds after the question; undefined: there is none. */
  readonly heardMs: number | undefined;
  readonly reaction: 'follow' | WholeReaction | MinimisedReaction | DenialReaction;
  /** Nothing listens there, and the resolver notices at once. */
  readonly closed?: true;
  /** The reply is an error rather than of no use. */
  readonly error?: true;
  /** How many of the next minimised names its NSEC records prove to have no records, so that nobody asks for them. */
  readonly proves?: number;
}

/** Addresses of a zone's servers that behave alike, or of one of its names, where the name matters. */
export interface ServerClass {
  readonly atHand: boolean;
  /** By stage. */
  readonly stages: readonly Behaviour[];
  /** The reaction to its reply to the question for the zone's keys; undefined: nobody asks for them. */
  readonly keys?: Behaviour;
  /** The name that the addresses belong to, where it matters which; else empty. */
  readonly name: string;
  /** The same for classes that differ only in the name, if all addresses of these names behave alike. */
  readonly alike: string;
  readonly members: readonly AddressOfZone[];
}

/** An address of a name server of the zone; undefined: a limit ended the look-up of that name. */
interface AddressOfZone {
  readonly server: number;
  readonly address: string | undefined;
  readonly limited?: End;
}

/** The stages from a step on, and how far it is to the whole name. */
export function stagesFrom(step: Step): Stages {
  const stages = [step];
  for (let at = step.minimised?.nextLabel; at?.kind === 'step'; at = at.step.minimised?.nextLabel)
    stages.push(at.step);
  return stages;
}

/** The zone or the end that a resolver comes to if it takes the reply of an address at a stage. */
export function takenAt(
  { step, proof }: Arrival,
  { server: index, address, limited }: AddressOfZone,
  reaction: Behaviour['reaction'],
): Onward {
  if (limited !== undefined) return endedIn(limited);
  const server = step.servers[index];
  if (server === undefined || address === undefined)
    throw new Error('the servers of a zone are the same at each stage');
  const visit = visitAt(server, address);
  // Who takes a reply that says nothing of use takes it for a denial.
  if (reaction === 'end' && visit.kind === 'asked' && visit.meaning.kind === 'lame')
    return endedIn(step.ends.denial(server.name, address));
  const walk = reaction === 'follow' ? walkAfter(visit) : undefined;
  if (walk === undefined) return endedIn(step.ends.afterVisit(visit, server.name, address));
  if (walk.kind === 'cut') return endedIn(walk.end);
  const state = stateOf(step, server);
  return { kind: 'zone', arrival: { step: walk.step, proof: proof?.after(state, address, walk.step) } };
}

/** The end of a resolver that comes no further than to the question for the zone's keys at an address. */
export function keysEnd({ step, proof }: Arrival, { server: index, address, limited }: AddressOfZone): End {
  const server = step.servers[index];
  const end = proof?.servfail('keys', step.ends.servfail) ?? step.ends.servfail;
  if (limited !== undefined || server === undefined || address === undefined) return limited ?? end;
  const outcome = proof?.keys?.[stateOf(step, server)].get(address);
  return outcome?.kind === 'limited' ? outcome.end(server) : end;
}

/** The next zone of a resolver, or its end. */
export type Onward =
  | { readonly kind: 'zone'; readonly arrival: Arrival }
  | { readonly kind: 'end'; readonly end: End };

export function endedIn(end: End): Onward {
  return { kind: 'end', end };
}

/** Each way in which the look-ups of the servers can come out, with its probability. Void where that is more work than there may be. */
export function serverClasses(
  stages: Stages,
  proof: ZoneProof | undefined,
  tools: VisitTools,
): readonly { readonly weight: Fraction; readonly classes: readonly ServerClass[] }[] {
  const [step] = stages;
  const { lookups, work } = tools;
  if (step === undefined) return [];
  const ways = step.servers.map((server) => addressWays(server, lookups));
  if (work.spend(workOf('address', stages.length * addressesCombined(ways))) === 'exceeded') return [];
  return combinations(ways).map(({ weight, sets }) => ({
    weight,
    classes: classesOf(stages, sets, tools, proof),
  }));
}

/** The number of addresses that all combinations of ways have together. */
function addressesCombined(all: readonly (readonly AddressWay[])[]): number {
  const combinations = all.reduce((product, ways) => product * ways.length, 1);
  const addresses = (way: AddressWay) => (way.kind === 'addresses' ? way.set.length : 1);
  return all.reduce(
    (sum, ways) => sum + ways.reduce((of, way) => of + addresses(way), 0) * (combinations / ways.length),
    combinations,
  );
}

interface Combination {
  readonly weight: Fraction;
  readonly sets: readonly AddressWay[];
}

/** A server with only one way, whose weight is 1, multiplies nothing: a hostile zone names thousands of them. */
function combinations(all: readonly (readonly AddressWay[])[]): readonly Combination[] {
  const several = [...all.entries()].filter(([, ways]) => ways.length !== 1);
  const chosen = several.reduce<readonly Chosen[]>(
    (sofar, [server, ways]) =>
      sofar.flatMap(({ weight, ofServer }) =>
        ways.map((way) => ({
          weight: multiply(weight, way.weight),
          ofServer: new Map([...ofServer, [server, way]]),
        })),
      ),
    [{ weight: ONE, ofServer: new Map() }],
  );
  return chosen.map(({ weight, ofServer }) => ({
    weight,
    sets: all.flatMap((ways, server) => ofServer.get(server) ?? ways.slice(0, 1)),
  }));
}

/** Some of the servers, by their number, with a way for each. */
interface Chosen {
  readonly weight: Fraction;
  readonly ofServer: ReadonlyMap<number, AddressWay>;
}

function classesOf(
  stages: Stages,
  sets: readonly AddressWay[],
  tools: VisitTools,
  proof: ZoneProof | undefined,
): readonly ServerClass[] {
  const { profile } = tools;
  const { by } = profile.picks;
  const servers = stages[0]?.servers ?? [];
  const seen = new Set<string>();
  const classes = new Map<string, ServerClass & { readonly members: AddressOfZone[] }>();
  // An address under several names counts once, under one that is up, if there is any.
  const order = servers.map((_, i) => i).sort((a, b) => Number(isUp(stages, b)) - Number(isUp(stages, a)));
  for (const server of order) {
    const all = addressesOf(server, sets[server]).filter(({ address }) => {
      if (by === 'name' || address === undefined) return true;
      if (seen.has(address)) return false;
      seen.add(address);
      return true;
    });
    const behaviours = all.map((one) => ({
      stages: stages.map((step) => behaviourAt({ step, proof }, one, tools)),
      ...(proof?.keys && { keys: behaviourAsKeys(stages, proof.keys, one, profile, proof) }),
    }));
    const texts = behaviours.map((one) => JSON.stringify(one));
    const atHand = by === 'name' || servers[server]?.kind === 'glue';
    const nameMatters = by === 'name' || !atHand;
    const name = nameMatters ? String(server) : '';
    const ofName = nameMatters ? [...texts].sort().join() : '';
    all.forEach((one, i) => {
      const text = texts[i] ?? '';
      const alike = `${atHand} ${text} ${ofName}`;
      const made = (): ServerClass & { readonly members: AddressOfZone[] } => {
        return { atHand, stages: [], ...behaviours[i], name, alike, members: [] };
      };
      getOrMake(classes, `${name} ${alike}`, made).members.push(one);
    });
  }
  return [...classes.values()];
}

function addressesOf(server: number, way: AddressWay | undefined): readonly AddressOfZone[] {
  if (way === undefined) return [];
  if (way.kind === 'limited') return [{ server, address: undefined, limited: way.end }];
  return way.set.map((address) => ({ server, address }));
}

function isUp([step]: Stages, server: number): boolean {
  return step?.servers[server]?.visits === step?.visits;
}

function behaviourAt(
  { step, proof }: Arrival,
  { server: index, address }: AddressOfZone,
  tools: VisitTools,
): Behaviour {
  const { profile } = tools;
  const server = step.servers[index];
  if (server === undefined || address === undefined) return AT_A_LIMIT;
  const visit = visitAt(server, address);
  if (visit.kind === 'not-asked') return AT_A_LIMIT;
  const { meaning, exchanged } = visit;
  const state = stateOf(step, server);
  const reaction =
    step.minimised === undefined
      ? validated(reactionToWhole(profile, meaning, exchanged), proof?.reply(state, address), profile)
      : validatedMinimised(reactionToMinimised(profile, meaning, exchanged), visit, { step, proof }, tools);
  if (meaning.kind === 'unreachable') return unreachable(reaction, profile);
  const proves = reaction === 'next-label' ? provenNames(visit, { step, proof }, tools) : 0;
  return {
    heardMs: heardMs(visit),
    reaction,
    ...(meaning.kind === 'error' && { error: true }),
    ...(proves > 0 && { proves }),
  };
}

/** The behaviour of an address that a limit kept from being asked. */
const AT_A_LIMIT: Behaviour = { heardMs: 0, reaction: 'end' };

function unreachable(reaction: Behaviour['reaction'], { time }: Profile): Behaviour {
  return { heardMs: undefined, reaction, ...(time.closedPort === 'noticed' && { closed: true }) };
}

/** The reaction to a reply to the whole name whose reaction without validation is `reaction`. */
function validated(
  reaction: 'follow' | WholeReaction,
  outcome: ReturnType<ZoneProof['reply']>,
  { validation }: Profile,
): 'follow' | WholeReaction | BogusReaction {
  if (reaction !== 'follow' && reaction !== 'end') return reaction;
  const flaw = flawOf(outcome);
  return flaw === undefined ? reaction : validation[flaw];
}

/** The flaw of a reply to the whole name that does not verify. */
function flawOf(outcome: ReturnType<ZoneProof['reply']>): 'unsigned' | 'broken' | undefined {
  switch (outcome?.kind) {
    case undefined:
    case 'good':
    case 'limited':
      return undefined;
    case 'bogus':
      return isUnsigned(outcome.failure) ? 'unsigned' : 'broken';
    case 'unprovable':
      return 'broken';
    case 'stopped':
    case 'unused':
      return 'unsigned';
  }
}

/** The same for a reply to a minimised name. */
function validatedMinimised(
  reaction: 'follow' | MinimisedReaction,
  visit: Extract<Visit, { kind: 'asked' }>,
  { step, proof }: Arrival,
  { profile, work }: VisitTools,
): 'follow' | MinimisedReaction | DenialReaction {
  const { meaning, exchanged } = visit;
  const { minimised, provenNxdomain, unsigned, broken } = profile.validation;
  const isDenied = meaning.kind === 'nxdomain';
  const isParent = parentOfWhole(step) === step.question.name;
  const ifNot = isDenied ? minimised.nxdomain : isParent ? minimised.parent : minimised.others;
  const matters = ifNot !== 'taken' || reaction === 'end' || (isDenied && provenNxdomain === 'ends');
  if (proof === undefined || !matters || !isUsable(meaning.kind) || meaning.kind === 'referral')
    return reaction;
  const leadsOn = reaction === 'next-server' || reaction === 'never-again';
  if (reaction === 'end-of-all' || (leadsOn && ifNot !== 'end-of-all')) return reaction;
  const spend = (steps: number) => void work.spend(steps);
  const verdict = proof.minimised(exchanged, { zone: step.delegation.zone, spend });
  if (verdict === 'unknown') return reaction;
  if (verdict === 'secure') return isDenied && provenNxdomain === 'ends' ? 'end' : reaction;
  // Taken for the whole name, it is validated as a reply to that.
  if (reaction === 'end') return verdict === 'no-signature' ? unsigned : broken;
  return ifNot === 'taken' ? reaction : ifNot;
}

/** How many of the minimised names after this one its NSEC records prove to have no records. */
function provenNames(
  { exchanged }: Extract<Visit, { kind: 'asked' }>,
  { step, proof }: Arrival,
  { profile, work }: VisitTools,
): number {
  const { outcome } = exchanged;
  if (profile.validation.minimised.proven === 'asked' || proof === undefined || outcome.kind !== 'reply')
    return 0;
  const nsecs = nsecsIn(outcome.authority);
  const { zone } = step.delegation;
  const next = stagesFrom(step).slice(1);
  const asked = next.findIndex(
    ({ minimised, question: { name, type } }) =>
      minimised === undefined || !isFound(nsecNoData(nsecs, zone, name, type)),
  );
  const count = asked === -1 ? next.length : asked;
  const spend = (steps: number) => void work.spend(steps);
  return count > 0 && proof.minimised(exchanged, { zone, spend }) === 'secure' ? count : 0;
}

function parentOfWhole({ minimised }: Step): Name | undefined {
  return minimised?.wholeName.kind === 'step' ? parentOf(minimised.wholeName.step.question.name) : undefined;
}

function isUnsigned(failure: End): boolean {
  return failure.kind === 'bogus' && failure.reason === 'no-signature';
}

/** The reaction to the reply of an address to the question for the zone's keys. */
function behaviourAsKeys(
  [step]: Stages,
  heard: AddressOutcomes<unknown>,
  { server: index, address }: AddressOfZone,
  profile: Profile,
  proof: ZoneProof,
): Behaviour {
  const server = step?.servers[index];
  if (step === undefined || server === undefined || address === undefined) return AT_A_LIMIT;
  const outcome = heard[stateOf(step, server)].get(address);
  if (outcome === undefined || outcome.kind === 'limited') return AT_A_LIMIT;
  const at = rounded(outcome.elapsedMs);
  if (outcome.kind === 'good') return { heardMs: at, reaction: 'next-label' };
  if (outcome.kind === 'stopped') return { heardMs: at, reaction: 'next-server' };
  const { failure } = outcome;
  const { noKeys } = profile.validation;
  switch (failure.kind) {
    case 'timeout':
      return { heardMs: undefined, reaction: 'next-server' };
    case 'unreachable':
      return unreachable('next-server', profile);
    case 'bogus':
      return { heardMs: at, reaction: reactionToBogusKeys(outcome, failure.reason, { profile, proof }) };
    case 'lame':
      return { heardMs: at, reaction: failure.reason === 'empty' ? noKeys.empty : 'next-server' };
    default:
      return { heardMs: at, reaction: 'next-server', ...(failure.kind === 'error' && { error: true }) };
  }
}

function reactionToBogusKeys(
  outcome: TimedOutcome<unknown>,
  reason: BogusReason,
  { profile, proof }: { readonly profile: Profile; readonly proof: ZoneProof },
): 'next-label' | BogusReaction {
  const { brokenKeys, noKeys, unsigned, broken } = profile.validation;
  const answer = outcome.kind === 'bogus' ? proof.answerOf(outcome) : [];
  switch (reason) {
    case 'no-keys':
      return answer.length > 0 ? noKeys.others : noKeys.denied;
    case 'no-signature':
      return unsigned;
    case 'no-matching-ds':
      return broken;
    default: {
      const isSingle = answer.filter(({ type }) => type === 'DNSKEY').length === 1;
      return isSingle && brokenKeys === 'taken-if-single' ? 'next-label' : broken;
    }
  }
}

/** To the tenth of a second from 100 ms on, so that few differ: nobody notices less. */
export function heardMs({ exchanged }: Extract<Visit, { kind: 'asked' }>): number | undefined {
  const { outcome, tries } = exchanged;
  if (outcome.kind === 'timeout') return undefined;
  return rounded(outcome.kind === 'reply' ? outcome.rttMs : (tries.at(-1)?.elapsedMs ?? 0));
}

function rounded(ms: number): number {
  return ms < FINE_MS ? Math.round(ms / FINE_STEP_MS) * FINE_STEP_MS : Math.round(ms / FINE_MS) * FINE_MS;
}

const FINE_MS = 100;
const FINE_STEP_MS = 10;
