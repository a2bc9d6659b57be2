/* Checks whether a delegation and the zone itself name the same servers. */

import { getOrMake } from '../../base/memo.ts';
import { labelCount, type Name } from '../../dns/name.ts';
import { listed } from '../../document/words/lists.ts';
import { plain, withAddress } from '../../document/words/names.ts';
import type { Checks, Draft } from '../check.ts';
import { contentKeyOf, contentOf, type Evidence, isNegative, isWorking } from '../evidence.ts';
import { areSeparate, type NsGroup } from './ns-groups.ts';
import { type DelegatedSet, type Mismatch, mismatchesIn, nsSetsIn } from './ns-sets.ts';

/** Do the delegation and the zone itself name the same servers? */
export const NS_SET_CHECKS = {
  PARENT_CHILD_NS_DIFFER: parentChildDiffer,
  PARENT_CHILD_NS_DISJOINT: parentChildDisjoint,
  CHILD_NS_SETS_DIFFER: childSetsDiffer,
  NS_TTL_SKEW: ttlSkew,
} satisfies Checks;

/** PARENT_CHILD_NS_DIFFER: the delegation and the zone itself name different servers, some of them the same. */
function parentChildDiffer(evidence: Evidence): readonly Draft[] {
  return mismatchesIn(evidence)
    .filter((one) => !isDisjoint(one))
    .map((one) => mismatchDraft(evidence, one));
}

/** PARENT_CHILD_NS_DISJOINT: no server is named by both. */
function parentChildDisjoint(evidence: Evidence): readonly Draft[] {
  return mismatchesIn(evidence)
    .filter(isDisjoint)
    .map((one) => mismatchDraft(evidence, one));
}

function isDisjoint({ onlyOwn, own }: Mismatch): boolean {
  return onlyOwn.length === own.length;
}

function mismatchDraft(evidence: Evidence, mismatch: Mismatch): Draft {
  const { zone, parents, proof, current } = mismatch;
  const [one, other] = current;
  const itself =
    one === undefined || other === undefined
      ? `the zone itself names ${namesIn(mismatch.own)}`
      : sidesWords(zone, one, other);
  const problem = `The delegation of ${plain(zone)} names ${namesIn(parents.set)}, but ${itself}`;
  return { zone, problem, advice: mismatchAdvice(evidence, mismatch), proof };
}

/** CHILD_NS_SETS_DIFFER: servers of one zone give different NS RRsets at its apex. */
function childSetsDiffer(evidence: Evidence): readonly Draft[] {
  return nsSetsIn(evidence).flatMap(({ zone, nsGroups }): readonly Draft[] => {
    const [one, other] = nsGroups;
    if (one === undefined || other === undefined) return [];
    const problem = `The servers of ${plain(zone)} disagree on its name servers: ${sidesWords(zone, one, other)}`;
    const advice = areSeparate(one, other)
      ? 'Decide which of them is right, and remove the servers of the other from the delegation and from the NS records'
      : 'Make all of them serve the same version of the zone';
    return [{ zone, problem, advice, proof: nsGroups.flatMap(({ proof }) => proof) }];
  });
}

/** How many times as long one TTL may be as the other, and from how many seconds on it matters. */
const SKEW = { factor: 100, from: 86_400 } as const;

/** NS_TTL_SKEW: caches keep the delegation far longer than the zone's own NS RRset, or the other way round. */
function ttlSkew(evidence: Evidence): readonly Draft[] {
  return nsSetsIn(evidence).flatMap(({ zone, delegated, current }): readonly Draft[] => {
    const referrals = delegated.flatMap((one) => one.referrals);
    const given = referrals.flatMap(({ exchanged: { outcome } }) =>
      outcome.kind !== 'reply'
        ? []
        : outcome.authority.filter(({ name, type }) => type === 'NS' && name === zone).map(({ ttl }) => ttl),
    );
    const said = current.flatMap(({ servers }) => servers.flatMap(({ ns }) => ns?.value.ttl ?? []));
    if (given.length === 0 || said.length === 0) return [];
    const [above, own] = [Math.min(...given), Math.min(...said)];
    const [short, long] = [Math.min(above, own), Math.max(above, own)];
    if (long < SKEW.from || long < short * SKEW.factor) return [];
    const problem = `Caches keep the delegation of ${plain(zone)} for ${above} s, but the zone's own NS records for ${own} s`;
    const advice = 'Bring the TTL of the NS records nearer to that of the delegation';
    const proof = [
      ...referrals.map(({ exchanged }) => exchanged),
      ...current.flatMap((nsGroup) => nsGroup.proof),
    ];
    return [{ zone, problem, advice, proof }];
  });
}

const known = new WeakMap<Mismatch, string>();

/** What to do where a delegation and the zone itself name different servers. Kept, as many findings can say it. */
export function mismatchAdvice(evidence: Evidence, mismatch: Mismatch): string {
  const [one, other] = mismatch.current;
  return getOrMake(known, mismatch, () =>
    one === undefined || other === undefined
      ? changeAdvice(evidence, mismatch)
      : choiceAdvice(mismatch, one, other),
  );
}

/** What to change depends on which of the servers that only one side names work, and say the same as the others. */
function changeAdvice(evidence: Evidence, { zone, parents, own, onlyDelegated, onlyOwn }: Mismatch): string {
  const failing = own.filter((name) => serviceOf(evidence, zone, name) === 'fails');
  const broken = onlyOwn.filter((name) => failing.includes(name));
  const wanted = own.filter((name) => !broken.includes(name));
  // Nobody should be asked for servers that do not work: what is to become of them is another finding's.
  const change =
    failing.length > broken.length ? redelegate(zone, parents, wanted) : delegate(zone, parents, wanted);
  const then = wanted.join() === parents.set.join() ? '' : `, and ${change}`;
  if (broken.length > 0) {
    const useless = `${namesIn(broken)}, which ${broken.length === 1 ? 'returns' : 'return'} no usable reply`;
    return wanted.length === 0
      ? `Have the NS records of the zone name ${namesIn(parents.set)} instead of ${useless}`
      : `Remove ${useless}, from the NS records of the zone${then}`;
  }
  const others = serversThatDiffer(evidence, zone, own);
  const apart = onlyOwn.filter((name) => others.has(name));
  if (apart.length > 0)
    return `Have ${namesIn(apart)} serve the same version of the zone as the others${then}`;
  if (onlyOwn.length === own.length && onlyDelegated.some((name) => others.has(name)))
    return `Decide whose data are right: if those of ${namesIn(own)}, ${change}, and if those of ${namesIn(parents.set)}, have the NS records of the zone name these`;
  const spare = onlyDelegated.filter(
    (name) => serviceOf(evidence, zone, name) === 'works' && !others.has(name),
  );
  const addition = `, or add ${namesIn(spare)} to the NS records of the zone if ${spare.length === 1 ? 'it is' : 'they are'} to stay`;
  return `${capitalised(change)}${spare.length === 0 ? '' : addition}`;
}

/**
 * The servers that say something else of a name than all those do that the delegation and the zone itself
 * name, or if there are none, than all that the zone names: they have another version of the zone.
 */
function serversThatDiffer(
  { replySets, referred }: Evidence,
  zone: Name,
  own: readonly Name[],
): ReadonlySet<Name> {
  const delegated = referred.filter(({ delegation }) => delegation.zone === zone);
  const onBoth = delegated
    .flatMap(({ delegation }) => delegation.nameservers.map(({ name }) => name))
    .filter((name) => own.includes(name));
  const references = new Set(onBoth.length > 0 ? onBoth : own);
  const dissenting = [...replySets.values()].flatMap((replySet) => {
    if (replySet.zone !== zone) return [];
    const speaking = replySet.observed.filter(
      (observed) => contentOf(observed) !== undefined || isNegative(observed),
    );
    const usual = new Set(speaking.filter(({ server }) => references.has(server.name)).map(contentKeyOf));
    if (usual.size === 0) return [];
    return speaking.filter((observed) => !usual.has(contentKeyOf(observed))).map(({ server }) => server.name);
  });
  return new Set(dissenting);
}

/** Nothing tells which of two sides is right: that is for the zone's owner to say. */
function choiceAdvice({ zone, parents }: Mismatch, one: NsGroup, other: NsGroup): string {
  return `Decide which of them is right: if ${firstServerOf(one)} is, ${delegate(zone, parents, one.set)}, and if ${firstServerOf(other)} is, to exactly ${namesIn(other.set)}`;
}

/** "ask the registrar to delegate shop.example to exactly ns1.example and ns2.example" */
function delegate(zone: Name, parents: DelegatedSet, names: readonly Name[]): string {
  return `ask ${delegatorOf(zone, parents)} to delegate ${plain(zone)} to exactly ${namesIn(names)}`;
}

/** "ask the registrar to add ns3.example to the delegation of shop.example and to remove ns4.example from it" */
function redelegate(zone: Name, parents: DelegatedSet, names: readonly Name[]): string {
  const [added, removed] = [without(names, parents.set), without(parents.set, names)];
  const delegation = `the delegation of ${plain(zone)}`;
  const where = added.length > 0 ? 'it' : delegation;
  const changes = [
    ...(added.length > 0 ? [`to add ${namesIn(added)} to ${delegation}`] : []),
    ...(removed.length > 0 ? [`to remove ${namesIn(removed)} from ${where}`] : []),
  ];
  return `ask ${delegatorOf(zone, parents)} ${changes.join(' and ')}`;
}

function without(names: readonly Name[], others: readonly Name[]): readonly Name[] {
  return names.filter((name) => !others.includes(name));
}

/** Who changes the delegation of a zone. */
function delegatorOf(zone: Name, { referrals }: DelegatedSet): string {
  const parents = [...new Set(referrals.map((observed) => observed.zone))];
  const isRegistered = labelCount(zone) > 1 && parents.every((parent) => labelCount(parent) < 2);
  return isRegistered ? 'the registrar' : `the operator of ${listed(parents.map(plain))}`;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** More names than usual, as it is for them that a finding about sets is read. */
const MOST_NAMED = 8;

/** Names of servers in a sentence. */
function namesIn(names: readonly Name[]): string {
  return listed(names.map(plain), MOST_NAMED);
}

/** Whether a server of a zone gave something usable anywhere, or nothing everywhere. */
function serviceOf(evidence: Evidence, zone: Name, name: Name): 'works' | 'fails' | 'unknown' {
  const contacts = evidence.contacts.filter((one) => one.zone === zone && one.server.name === name);
  if (contacts.some(({ observed }) => observed.some(isWorking))) return 'works';
  if (evidence.openWhenWarm.has(zone)) return 'unknown';
  return contacts.length > 0 || hasNoAddress(evidence, zone, name) ? 'fails' : 'unknown';
}

function hasNoAddress({ resolutions }: Evidence, zone: Name, name: Name): boolean {
  return resolutions.some((one) => one.zone === zone && one.name === name && one.failed.length > 0);
}

/** "ns1.a (192.0.2.1) names ns1.a and ns2.a, while ns1.b (192.0.2.2) names ns1.b" */
function sidesWords(zone: Name, one: NsGroup, other: NsGroup): string {
  const sides = `${firstServerOf(one)} names ${namesIn(one.set)}, while ${firstServerOf(other)} names ${namesIn(other.set)}`;
  return areSeparate(one, other)
    ? `two providers serve different zones called ${plain(zone)}: ${sides}`
    : sides;
}

/** The first server of such a group. */
function firstServerOf({ servers }: NsGroup): string {
  const [first] = servers;
  const [name] = first?.names ?? [];
  return first === undefined || name === undefined ? '' : withAddress({ name, address: first.address });
}
