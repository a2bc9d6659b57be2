/* The kinds of main walks, what each begins with, and the roles of their steps. */

import { getOrMake } from '../base/memo.ts';
import { familyOf } from '../dns/address.ts';
import type { Security } from '../dns/dnssec/verdict.ts';
import type { Question } from '../dns/message.ts';
import { isAtOrBelow, type Name } from '../dns/name.ts';
import { targetOf } from '../dns/record.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { type QueryRank, RANKS } from '../exchange/query.ts';
import { addressIn, lookupTypes } from './addresses.ts';
import { meaningFor } from './classify.ts';
import { type Delegation, delegationOf, type Nameserver, withTrust } from './delegation.ts';
import type { ReplyFeed } from './exploration/proving.ts';
import { byStyle, type StyledProfiles, styleKey } from './profiles/profiles.ts';
import { minimisedQuestions } from './profiles/stages.ts';
import type { Scope } from './recording.ts';

/**
 * Which main walk is meant: svc-model(7), COLD AND WARM, and the cold one of a resolver that demands proof, VALIDATING.
 * `delegated` is the cold one kept apart from lookups, so that the zones on its way are known. `minimised`: those of
 * resolvers that minimise names, PROFILES.
 */
export type MainWalkKind = MainWalkStart['kind'];

/** What tells a main walk from the others. */
export type MainWalkStart =
  | { readonly kind: 'cold' | 'delegated' | 'warm' }
  | { readonly kind: 'validating'; readonly sets: NsSets }
  /** Of the resolvers that ask the same minimised questions. */
  | { readonly kind: 'minimised'; readonly styled: StyledProfiles; readonly sets: NsSets };

/** Whose NS sets a walk takes for a zone: those that referrals bring, or the zone's own. */
export type NsSets = 'delegated' | 'own';

/** Which walk a step belongs to. */
export type StepRole =
  /** A walk that takes every delegation at its parent's word: every lookup, and the cold main walk. */
  | { readonly kind: 'cold' }
  /** The cold main walk alone. */
  | { readonly kind: 'delegated' }
  /** The warm main walk. */
  | { readonly kind: 'warm' }
  /** The apex question that a walk with own sets asks before it goes on with the question `ahead`. */
  | { readonly kind: 'apex'; readonly ahead: FirstQuestion }
  /** The main walk of a resolver that demands proof, and whether every reply so far is proven. */
  | { readonly kind: 'validating'; readonly sets: NsSets; readonly soFar: Security }
  /** A further question to the servers of such a step: no path goes on from it. */
  | { readonly kind: 'proof'; readonly replies: ReplyFeed }
  /** The main walk of resolvers that minimise names; absent `ahead`: they ask for the whole name. */
  | (MinimisedWalk & { readonly ahead?: AheadOfMinimised });

/** The main walk of resolvers that minimise names. */
export type MinimisedWalk = Extract<MainWalkStart, { kind: 'minimised' }>;

/** What a minimised question stands for. */
export interface AheadOfMinimised {
  /** The question for the whole name. */
  readonly whole: Question;
  /** Its place among the minimised questions at the zone. */
  readonly stage: number;
}

/** The question for a zone's own name servers, put to servers that it was delegated to. */
export function apexQuestion(zone: Name): Question {
  return { name: zone, type: 'NS' };
}

/** What a main walk begins with. */
export function roleOf(start: MainWalkStart): StepRole {
  switch (start.kind) {
    case 'validating':
      return { ...start, soFar: 'secure' };
    case 'minimised':
      return start;
    case 'cold':
    case 'delegated':
    case 'warm':
      return { kind: start.kind };
  }
}

/** The main walks of a kind: those with the zones' own NS sets, too, where they are asked for, and one for each style of minimisation. */
export function walksOf(
  kind: MainWalkKind,
  { profiles = [], warm }: Pick<Scope, 'profiles' | 'warm'>,
): readonly MainWalkStart[] {
  const sets: readonly NsSets[] = warm === 'on' && profiles.length > 0 ? ['delegated', 'own'] : ['delegated'];
  switch (kind) {
    case 'cold':
    case 'delegated':
    case 'warm':
      return [{ kind }];
    case 'validating':
      return sets.map((one) => ({ kind, sets: one }));
    case 'minimised':
      return byStyle(profiles).flatMap((styled) => sets.map((one) => ({ kind, styled, sets: one })));
  }
}

/** The first question of a walk that comes to a zone by referral, or begins there, and its role: one with own sets asks for the apex first. */
export function arrivalAt(zone: Name, question: Question, role: StepRole): FirstQuestion {
  const ahead = returnTo(zone, question, role);
  return takesOwnSets(ahead.role) ? { question: apexQuestion(zone), role: { kind: 'apex', ahead } } : ahead;
}

/** The same for a walk that comes back to a delegation by an alias: it does not ask for the apex again. */
export function returnTo(zone: Name, question: Question, role: StepRole): FirstQuestion {
  switch (role.kind) {
    case 'cold':
    case 'delegated':
    case 'validating':
    case 'proof':
    case 'warm':
      return { question, role };
    case 'apex':
      return returnTo(zone, question, role.ahead.role);
    case 'minimised':
      return minimisedAt(zone, { whole: question, stage: 0 }, role);
  }
}

function takesOwnSets(role: StepRole): boolean {
  switch (role.kind) {
    case 'cold':
    case 'delegated':
    case 'proof':
      return false;
    case 'warm':
    case 'apex':
      return true;
    case 'validating':
    case 'minimised':
      return role.sets === 'own';
  }
}

/** The question of a stage at a zone: a minimised one, or that for the whole name if these are done. */
export function minimisedAt(
  zone: Name,
  { whole, stage }: AheadOfMinimised,
  { kind, styled, sets }: MinimisedWalk,
): FirstQuestion {
  const question = minimisedQuestions(styled.style, zone, whole)[stage];
  return question === undefined
    ? { question: whole, role: { kind, styled, sets } }
    : { question, role: { kind, styled, sets, ahead: { whole, stage } } };
}

/** The walk's own question at a step: an apex question, or a minimised one, goes before it. */
export function wholeQuestion(asked: Question, role: StepRole): Question {
  if (role.kind === 'apex') return wholeQuestion(role.ahead.question, role.ahead.role);
  return role.kind === 'minimised' && role.ahead !== undefined ? role.ahead.whole : asked;
}

/** A text for what tells walks in this role from others that ask the same question: a part of keys of steps. */
export function roleKey(role: StepRole): string {
  switch (role.kind) {
    case 'cold':
    case 'delegated':
    case 'warm':
    case 'proof':
      return role.kind;
    case 'apex':
      return `apex ${roleKey(role.ahead.role)}`;
    case 'validating':
      return `validating ${role.sets} ${role.soFar}`;
    case 'minimised':
      return `minimised ${role.sets} ${styleKey(role.styled.style)} ${role.ahead?.stage ?? 'whole'}`;
  }
}

/** A question and the role of the step that asks it. */
export interface FirstQuestion {
  readonly question: Question;
  readonly role: StepRole;
}

/** The main walk that leads to the questions of a rank. Those of `check` are about the zones on its way. */
export function walkOf(rank: QueryRank, { warm }: Scope): MainWalkKind {
  switch (rank) {
    case 'cold':
    case 'warm':
      return rank;
    case 'dnssec':
      return 'validating';
    case 'minimise':
      return 'minimised';
    case 'check':
      return warm === 'on' ? 'warm' : 'delegated';
  }
}

/** The ranks of the questions that a traversal asks beside the cold walk, in the order in which they count. */
export function extraRanks({ warm, dnssec, profiles, check }: Scope): readonly ExtraRank[] {
  const isAsked: Readonly<Record<QueryRank, boolean>> = {
    cold: false,
    warm: warm === 'on',
    dnssec: dnssec?.validation !== undefined,
    minimise: profiles !== undefined && profiles.length > 0,
    check: check === 'on',
  };
  return RANKS.filter((rank) => rank !== 'cold').filter((rank) => isAsked[rank]);
}

/** The rank of questions beside the cold walk's. */
export type ExtraRank = Exclude<QueryRank, 'cold'>;

const known = new WeakMap<Exchanged, Map<Delegation, Delegation | undefined>>();

/**
 * The zone's own name servers as a reply to its apex question gives them: a delegation to stand for the
 * parent's (svc-model(7), COLD AND WARM). Undefined if the reply gives none. Kept for as long as the
 * exchange lives, as paths meet it in many places.
 */
export function ownSet(exchanged: Exchanged, delegation: Delegation): Delegation | undefined {
  const sets = getOrMake(known, exchanged, () => new Map<Delegation, Delegation | undefined>());
  if (!sets.has(delegation)) {
    const own = readOwnSet(exchanged, delegation);
    sets.set(delegation, own && delegation.trust ? withTrust(own, delegation.trust) : own);
  }
  return sets.get(delegation);
}

function readOwnSet(exchanged: Exchanged, delegation: Delegation): Delegation | undefined {
  const { zone } = delegation;
  const meaning = meaningFor(exchanged, zone);
  if (meaning.kind !== 'answer') return undefined;
  const names = new Set(meaning.records.map(targetOf).filter((name) => name !== undefined));
  if (names.size === 0) return undefined;
  const beside = addressesBeside(exchanged, names, zone);
  const before = new Map(delegation.nameservers.map((server) => [server.name, server]));
  return delegationOf(
    zone,
    new Map([...names].map((name) => [name, glueOf(beside.get(name), before.get(name))])),
  );
}

/** By name: the addresses beside the answer, of servers about which one of this zone is believed. */
function addressesBeside(
  { outcome }: Exchanged,
  names: ReadonlySet<Name>,
  zone: Name,
): ReadonlyMap<Name, readonly string[]> {
  const addresses = new Map<Name, string[]>();
  if (outcome.kind !== 'reply') return addresses;
  for (const record of outcome.additional) {
    if (!names.has(record.name) || !isAtOrBelow(record.name, zone)) continue;
    const address = addressIn(record);
    if (address !== undefined) getOrMake(addresses, record.name, () => []).push(address);
  }
  return addresses;
}

/** Of each family the addresses given, or those that the delegation had if there are none. */
function glueOf(given: readonly string[] = [], before: Nameserver | undefined): readonly string[] {
  return lookupTypes([4, 6]).flatMap(({ family }) => {
    const own = given.filter((address) => familyOf(address) === family);
    return own.length > 0 ? own : (before?.glue ?? []).filter((address) => familyOf(address) === family);
  });
}
