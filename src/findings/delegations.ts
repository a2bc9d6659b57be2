/* Checks whether delegations and glue lead to servers. */

import { getOrMake } from '../base/memo.ts';
import { addressBytes, type Family, familyOf } from '../dns/address.ts';
import { type EncodableRecord, encodeMessage } from '../dns/encode.ts';
import { isAtOrBelow, type Name, nameToWire, parentOf } from '../dns/name.ts';
import { firstOfEach, listed } from '../document/words/lists.ts';
import { plain, withAddress } from '../document/words/names.ts';
import { type Delegation, delegationKey, delegationOf, type Nameserver } from '../explore/delegation.ts';
import { atDelegatedName, type Checks, type Draft } from './check.ts';
import {
  type Evidence,
  exchangesOf,
  hasFlag,
  isNegative,
  isWorking,
  type Observation,
  oncePer,
  type ReplySet,
  soasOf,
} from './evidence.ts';
import { type HostAddresses, hostAddresses } from './host-addresses.ts';

/** Do delegations and glue lead to servers? */
export const DELEGATION_CHECKS = {
  PARENT_INCONSISTENT: ({ replySets }) => [...replySets.values()].flatMap(childrenOf),
  NS_COUNT_LOW: countLow,
  REFERRAL_TOO_BIG: referralTooBig,
  // The name is inside the zone, so only the referral can give its address.
  GLUE_MISSING: atDelegatedName({
    when: ({ name, glue }, zone) => glue.length === 0 && isAtOrBelow(name, zone),
    problem: (name, zone) =>
      `The delegation of ${plain(zone)} has no glue for ${plain(name)}, although that name is inside the zone`,
    advice: 'Add glue for it at the parent',
  }),
  GLUE_MISSING_FAMILY: glueMissingFamily,
  GLUE_MISMATCH: (evidence) => mismatches(evidence, 'in-domain'),
  // Glue that the referral need not have carried.
  GLUE_FOREIGN_MISMATCH: (evidence) => mismatches(evidence, 'foreign'),
  GLUE_EXTRA: glueExtra,
} satisfies Checks;

/**
 * PARENT_INCONSISTENT: asked the same question, servers of the parent zone give different delegations
 * of one child, or some deny what others delegate. Servers that answer from the child itself do not
 * count, nor does glue that a referral need not carry.
 */
function childrenOf(replySet: ReplySet): readonly Draft[] {
  const children = new Map<Name, Version[]>();
  for (const observed of replySet.observed) {
    if (observed.meaning.kind !== 'referral') continue;
    const { delegation } = observed.meaning;
    getOrMake(children, delegation.zone, () => []).push({ observed, delegation });
  }
  return [...children].flatMap(([child, versions]) => differing(replySet, child, versions));
}

/** What one of the parent's servers says of the child: its delegation, or that there is none. */
interface Version {
  readonly observed: Observation;
  readonly delegation?: Delegation;
}

function differing(replySet: ReplySet, child: Name, given: readonly Version[]): readonly Draft[] {
  const denials = replySet.observed.filter(deniesFromParent).map((observed): Version => ({ observed }));
  const versions = [...given, ...denials];
  const distinct = firstOfEach(versions, ({ delegation }) => (delegation ? delegationKey(delegation) : ''));
  if (distinct.length < 2) return [];
  const firsts = firstOfEach(distinct, ({ delegation }) => (delegation ? contentKey(delegation) : ''));
  if (firsts.length < 2) return [];
  const [first, ...others] = firsts.map(
    ({ observed, delegation }) => `${withAddress(observed.server)} returns ${content(delegation)}`,
  );
  const problem = `The servers of ${plain(replySet.zone)} disagree on the delegation of ${plain(child)}: ${first}, while ${listed(others)}`;
  const advice = 'Make all of them serve the same version of the parent zone';
  return [{ zone: child, problem, advice, proof: exchangesOf(versions.map(({ observed }) => observed)) }];
}

/** Whether the reply denies the child out of the parent zone, as the SOA record shows. */
function deniesFromParent(observed: Observation): boolean {
  return (
    isNegative(observed) &&
    hasFlag(observed, 'aa') &&
    soasOf(observed).some(({ name }) => name === observed.zone)
  );
}

/** What every referral must carry: the names, and the glue of those inside the child (RFC 9471). */
function contentKey({ zone, nameservers }: Delegation): string {
  const needed = nameservers.map(({ name, glue }) => [name, isAtOrBelow(name, zone) ? glue : []] as const);
  return delegationKey(delegationOf(zone, new Map(needed)));
}

function content(delegation: Delegation | undefined): string {
  if (delegation === undefined) return 'no delegation';
  const { zone, nameservers } = delegation;
  return listed(
    nameservers.map(({ name, glue }) =>
      isAtOrBelow(name, zone)
        ? `${plain(name)} (${glue.length === 0 ? 'no glue' : listed(glue)})`
        : plain(name),
    ),
  );
}

/** NS_COUNT_LOW: the delegation names one server; if it fails, so does the zone. */
function countLow({ referred }: Evidence): readonly Draft[] {
  return referred.flatMap(({ delegation, observed }): Draft[] => {
    const { zone, nameservers } = delegation;
    const [only] = nameservers;
    if (only === undefined || nameservers.length > 1) return [];
    const problem = `The delegation of ${plain(zone)} names only one server, ${plain(only.name)}`;
    const advice = 'Add at least one more, on another network';
    return [{ zone, server: { name: only.name }, problem, advice, proof: exchangesOf(observed) }];
  });
}

/** The octets that fit into a datagram without EDNS (RFC 1035 4.2.1). */
const PLAIN_UDP = 512;

/** Servers whose records are counted, which are too big together: a hostile delegation names thousands. */
const MOST_COUNTED = 64;

/**
 * REFERRAL_TOO_BIG: even the smallest legal referral does not fit into a plain datagram, or one arrived
 * truncated.
 */
function referralTooBig({ referred }: Evidence): readonly Draft[] {
  return referred.flatMap(({ delegation, observed }): Draft[] => {
    const { zone } = delegation;
    const counted = { zone, nameservers: delegation.nameservers.slice(0, MOST_COUNTED) };
    const octets = mayBeTooBig(counted) ? smallestReferral(counted) : 0;
    if (octets > PLAIN_UDP) {
      const isPart = counted.nameservers.length < delegation.nameservers.length;
      const problem = `Even the smallest referral to ${plain(zone)} takes ${isPart ? 'at least ' : ''}${octets} octets, more than the ${PLAIN_UDP} that fit into UDP without EDNS`;
      return [
        { zone, problem, advice: 'Name fewer servers or shorten their names', proof: exchangesOf(observed) },
      ];
    }
    const truncated = observed.filter(cameTruncated);
    if (truncated.length === 0) return [];
    const problem = `Referrals to ${plain(zone)} arrive truncated, so resolvers have to retry over TCP`;
    const advice = 'Name fewer servers or send fewer additional records';
    return [{ zone, problem, advice, proof: exchangesOf(truncated) }];
  });
}

function cameTruncated({ exchanged }: Observation): boolean {
  return exchanged.tries.some(
    ({ transport, outcome }) => transport === 'udp' && outcome.kind === 'reply' && outcome.truncated,
  );
}

type CountedReferral = Pick<Delegation, 'zone' | 'nameservers'>;

/** Whether a referral could take more than that even with no name compressed, which is found out faster. */
function mayBeTooBig({ zone, nameservers }: CountedReferral): boolean {
  const rows = nameservers.map(({ name, glue }) => {
    const ofGlue = RECORD_OCTETS + name.length + ADDRESS_OCTETS;
    return RECORD_OCTETS + zone.length + name.length + glue.length * ofGlue;
  });
  return rows.reduce((sum, octets) => sum + octets, MESSAGE_OCTETS + zone.length) > PLAIN_UDP;
}

/** What a message, a record and an address take, with an octet more for each name than its text has. */
const [MESSAGE_OCTETS, RECORD_OCTETS, ADDRESS_OCTETS] = [12 + 1 + 4, 2 + 10, 16];

/** Octets of a referral with the shortest question, compressed names and only the glue that RFC 9471 requires. */
function smallestReferral({ zone, nameservers }: CountedReferral): number {
  const record = (name: EncodableRecord['name'], type: string, rdata: Uint8Array): EncodableRecord => {
    return { name, type, ttl: 0, rdata };
  };
  const needed = nameservers.filter(({ name }) => isAtOrBelow(name, zone));
  return encodeMessage({
    id: 0,
    flags: ['qr'],
    rcode: 'NOERROR',
    questions: [{ nameAsSent: zone, type: 'A', class: 'IN' }],
    answer: [],
    authority: nameservers.map(({ name }) => record(zone, 'NS', nameToWire(name))),
    additional: needed.flatMap(({ name, glue }) =>
      glue.map((address) => record(name, familyOf(address) === 4 ? 'A' : 'AAAA', addressBytes(address))),
    ),
  }).length;
}

/**
 * The glue must have no address in common with any authoritative answer: then the server has moved,
 * rather than gained or lost an address. Of a name elsewhere, an address that fails and that its zone lacks is one, too.
 */
function mismatches(evidence: Evidence, where: 'in-domain' | 'foreign'): readonly Draft[] {
  return comparisons(evidence, where).flatMap((compared): readonly Draft[] => {
    const { zone, name, given, said, observed } = compared;
    const [address] = given;
    if (address === undefined) return [];
    if (said.addresses.length === 0 || given.some((one) => has(said, one)))
      return where === 'foreign' ? extraForeign(evidence, compared) : [];
    const right = listed(said.addresses);
    const answers = said.addresses.some((one) => answersAt(evidence, one)) ? ', which answers' : '';
    const words =
      where === 'foreign'
        ? {
            problem: `The registry has ${listed(given)} for ${plain(name)}, a name server of ${plain(zone)}, instead of ${right}${answers}`,
            advice: `Ask the operator of ${plain(parentOf(name) ?? name)} to correct the address of ${plain(name)} at its registry`,
          }
        : {
            problem: `The delegation of ${plain(zone)} has glue ${listed(given)} for ${plain(name)} instead of ${right}, which that name has in its own zone`,
            advice: `Correct the glue at the parent to ${right}`,
          };
    return [{ zone, server: { name, address }, ...words, proof: [...exchangesOf(observed), ...said.proof] }];
  });
}

function extraForeign(
  evidence: Evidence,
  { zone, name, given, said, observed }: Comparison,
): readonly Draft[] {
  const host = plain(parentOf(name) ?? name);
  return given
    .filter((address) => !has(said, address) && isOfNoUse(evidence, zone, address))
    .map((address) => ({
      zone,
      server: { name, address },
      problem: `The registry has ${address} for ${plain(name)}, a name server of ${plain(zone)}, which ${host} itself does not have and which gives no usable reply`,
      advice: `Ask the operator of ${host} to remove that address of ${plain(name)} at its registry`,
      proof: [...exchangesOf(observed), ...said.proof],
    }));
}

/** Whether anything that was asked at an address got data or a denial. */
function answersAt({ recording }: Evidence, address: string): boolean {
  return [...recording.exchanges.values()].some(
    (one) =>
      one.address === address &&
      one.outcome.kind === 'reply' &&
      (one.outcome.rcode === 'NXDOMAIN' || one.outcome.answer.length > 0),
  );
}

/** GLUE_EXTRA: glue has an address that the zone itself does not have, and if it has others of that family, one of them too. */
function glueExtra(evidence: Evidence): readonly Draft[] {
  return comparisons(evidence, 'in-domain').flatMap(({ zone, name, given, said, observed }): Draft[] => {
    if (said.addresses.length > 0 && !given.some((one) => has(said, one))) return [];
    return given.flatMap((address): Draft[] => {
      const isDead = isOfNoUse(evidence, zone, address);
      // That a working address is absent is proven only once every server of the zone was asked.
      const isKnown = isDead || (evidence.scope.check === 'on' && evidence.zones.has(zone));
      if (has(said, address) || !isKnown) return [];
      const problem = `The delegation of ${plain(zone)} has glue ${address} for ${plain(name)}, which the zone itself does not have${isDead ? ' and which gives no usable reply' : ''}`;
      const advice = isDead
        ? `Remove ${address} from the glue at the parent`
        : 'Remove it from the glue at the parent, or add it to the zone';
      const proof = [...exchangesOf(observed), ...said.proof];
      return [
        { zone, server: { name, address }, problem, advice, proof, ...(isDead && { severity: 'warning' }) },
      ];
    });
  });
}

function isOfNoUse({ contacts }: Evidence, zone: Name, address: string): boolean {
  const said = contacts.flatMap((one) =>
    one.zone === zone && one.server.address === address ? one.observed : [],
  );
  return said.length > 0 && !said.some(isWorking);
}

/** GLUE_MISSING_FAMILY: a server inside the zone has glue, but none of a family of which the zone has addresses. */
function glueMissingFamily(evidence: Evidence): readonly Draft[] {
  const given = comparisons(evidence, 'in-domain');
  const covered = new Set(given.filter(({ given }) => given.length > 0).map(comparedKey));
  return given.flatMap((comparison): Draft[] => {
    const { zone, name, family, said, observed } = comparison;
    const isCovered = covered.has(comparedKey(comparison));
    if (isCovered || !evidence.zones.has(zone) || said.addresses.length === 0) return [];
    const problem = `The delegation of ${plain(zone)} has no IPv${family} glue for ${plain(name)}, which has ${listed(said.addresses)} in the zone itself`;
    const advice = 'Add it to the glue at the parent';
    return [{ zone, server: { name }, problem, advice, proof: [...exchangesOf(observed), ...said.proof] }];
  });
}

/** The glue of one name server and family in one delegation, and what the zone of its name says. */
interface Comparison {
  readonly zone: Name;
  readonly name: Name;
  readonly family: Family;
  /** None: the delegation gives addresses of the other family only. */
  readonly given: readonly string[];
  readonly said: HostAddresses;
  readonly observed: readonly Observation[];
}

/** Several checks compare the same. */
const comparisons = (evidence: Evidence, where: 'in-domain' | 'foreign') => COMPARED[where](evidence);

const COMPARED = {
  'in-domain': oncePer((evidence: Evidence) => comparisonsOf(evidence, 'in-domain')),
  foreign: oncePer((evidence: Evidence) => comparisonsOf(evidence, 'foreign')),
};

function comparisonsOf(evidence: Evidence, where: 'in-domain' | 'foreign'): readonly Comparison[] {
  return evidence.referred.flatMap(({ delegation: { zone, nameservers }, observed }) =>
    nameservers
      .filter(({ name, glue }) => glue.length > 0 && isAtOrBelow(name, zone) === (where === 'in-domain'))
      .flatMap((server) =>
        compared(evidence, server).map((one) => ({ ...one, zone, name: server.name, observed })),
      ),
  );
}

function compared(
  evidence: Evidence,
  { name, glue }: Nameserver,
): readonly Pick<Comparison, 'family' | 'given' | 'said'>[] {
  return ([4, 6] as const).flatMap((family) => {
    const said = hostAddresses(evidence, name, family);
    if (said === undefined) return [];
    return [{ family, given: glue.filter((address) => familyOf(address) === family), said }];
  });
}

function comparedKey({ zone, name, family }: Comparison): string {
  return `${zone} ${name} ${family}`;
}

function has({ addresses }: HostAddresses, address: string): boolean {
  return addresses.includes(address);
}
