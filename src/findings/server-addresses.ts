/* Checks whether everybody can reach the addresses of name servers. */

import { getOrMake } from '../base/memo.ts';
import { familyOf } from '../dns/address.ts';
import { isAtOrBelow, type Name, ROOT } from '../dns/name.ts';
import { type SpecialPurpose, specialPurposeOf } from '../dns/special-purpose.ts';
import { listed } from '../document/words/lists.ts';
import { plain } from '../document/words/names.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { Delegation, Nameserver } from '../explore/delegation.ts';
import type { Checks, Draft } from './check.ts';
import { type Evidence, exchangesOf, type Observation, type Resolution } from './evidence.ts';
import { hostAddresses } from './host-addresses.ts';
import { nsGroupsIn } from './zones/ns-groups.ts';

/** Are the addresses of name servers such that everybody can reach them? */
export const ADDRESS_CHECKS = {
  NS_SAME_ADDRESS: sameAddress,
  NS_NO_IPV4: noIpv4,
  NS_NO_IPV6: noIpv6,
  NS_ADDR_NOT_GLOBAL: notGlobal,
} satisfies Checks;

/** NS_SAME_ADDRESS: several names of one delegation have an address in common. */
function sameAddress(evidence: Evidence): readonly Draft[] {
  const known = resolutionsByZone(evidence);
  return evidence.referred.flatMap(({ delegation, observed }) => {
    const { zone } = delegation;
    return [...namesByAddress(delegation, known.get(zone))].flatMap(([address, names]): Draft[] => {
      const [name] = names;
      if (name === undefined || names.length < 2) return [];
      const problem = `${listed(names.map(plain))}, name servers of ${plain(zone)}, share the address ${address}, so they are one machine counted ${names.length === 2 ? 'twice' : `${names.length} times`}`;
      const advice = 'Give each name a machine of its own, or name the machine only once';
      return [{ zone, server: { name, address }, problem, advice, proof: exchangesOf(observed) }];
    });
  });
}

/** NS_NO_IPV4: the addresses of every server are known, and all are IPv6. */
function noIpv4(evidence: Evidence): readonly Draft[] {
  const known = resolutionsByZone(evidence);
  const mayHaveIpv4 = evidence.referred
    .map(({ delegation }) => delegation)
    .filter(({ zone, nameservers }) =>
      nameservers.some((server) => !isIpv6Only(evidence, zone, server, known.get(zone))),
    );
  const spared = new Set(mayHaveIpv4.map(({ zone }) => zone));
  return [...evidence.referrals].flatMap(([zone, observed]): Draft[] => {
    if (spared.has(zone)) return [];
    const problem = `No name server of ${plain(zone)} has an IPv4 address, so resolvers without IPv6 cannot reach the zone`;
    return [
      { zone, problem, advice: 'Give at least one of them an IPv4 address', proof: exchangesOf(observed) },
    ];
  });
}

/**
 * NS_NO_IPV6: it is known of every server, those that only the zone itself names included, that it has no
 * IPv6 address.
 */
function noIpv6(evidence: Evidence): readonly Draft[] {
  // That no server has one is proven only once all were asked.
  if (evidence.scope.check === 'off') return [];
  const known = resolutionsByZone(evidence);
  return [...evidence.zones.keys()].flatMap((zone): Draft[] => {
    const observed = evidence.referrals.get(zone);
    if (observed === undefined || !evidence.scope.families.includes(6)) return [];
    const named = evidence.referred.filter(({ delegation }) => delegation.zone === zone);
    const servers = named.flatMap(({ delegation }) => delegation.nameservers);
    const own = nsGroupsIn(evidence, zone).flatMap(({ set }) => set.map((name) => ({ name, glue: [] })));
    const denials = [...servers, ...own].map((server) => ipv6Denials(evidence, server, known.get(zone)));
    if (!denials.every((proof) => proof !== undefined)) return [];
    const problem = `No name server of ${plain(zone)} has an IPv6 address, so resolvers with nothing but IPv6 cannot reach the zone`;
    const advice = 'Give at least one of them an IPv6 address';
    return [{ zone, problem, advice, proof: [...new Set([...exchangesOf(observed), ...denials.flat()])] }];
  });
}

/** What shows that a server has no IPv6 address; undefined if it has one, or nothing does. */
function ipv6Denials(
  evidence: Evidence,
  server: Nameserver,
  known: ByName | undefined,
): readonly Exchanged[] | undefined {
  const { name, glue } = server;
  const addresses = [...glue, ...(known?.get(name)?.addresses ?? [])];
  if (addresses.some((address) => familyOf(address) === 6)) return undefined;
  const said = hostAddresses(evidence, name, 6);
  if (said !== undefined) return said.addresses.length === 0 ? said.proof : undefined;
  const denials = deniedBy(evidence, name, 'AAAA');
  return denials.length > 0 ? exchangesOf(denials) : undefined;
}

type ByName = ReadonlyMap<Name, Resolution>;

function resolutionsByZone({ resolutions }: Evidence): ReadonlyMap<Name, ByName> {
  const zones = new Map<Name, Map<Name, Resolution>>();
  for (const resolution of resolutions) {
    getOrMake(zones, resolution.zone, () => new Map()).set(resolution.name, resolution);
  }
  return zones;
}

function addressesOf({ name, glue }: Nameserver, known: ByName | undefined): readonly string[] {
  return glue.length > 0 ? glue : [...(known?.get(name)?.addresses ?? [])];
}

function namesByAddress(
  { nameservers }: Delegation,
  resolutions: ByName | undefined,
): ReadonlyMap<string, Name[]> {
  const names = new Map<string, Name[]>();
  for (const server of nameservers) {
    for (const address of addressesOf(server, resolutions)) {
      getOrMake(names, address, () => []).push(server.name);
    }
  }
  return names;
}

/** Whether the server is known to have IPv6 only. Glue is complete for a name inside the zone, but not for others. */
function isIpv6Only(evidence: Evidence, zone: Name, server: Nameserver, known: ByName | undefined): boolean {
  const addresses = addressesOf(server, known);
  if (addresses.length === 0 || addresses.some((address) => familyOf(address) === 4)) return false;
  return isAtOrBelow(server.name, zone)
    ? server.glue.length > 0
    : deniedBy(evidence, server.name, 'A').length > 0;
}

/** The replies that deny that a host has addresses of a type; none if some final reply does not. */
function deniedBy({ byName }: Evidence, name: Name, type: 'A' | 'AAAA'): readonly Observation[] {
  const observed = (byName.get(name) ?? []).filter(({ exchanged }) => exchanged.question.type === type);
  const said = observed.filter(({ meaning }) => meaning.kind !== 'referral');
  return said.every(({ meaning }) => meaning.kind === 'nodata') ? said : [];
}

/** NS_ADDR_NOT_GLOBAL: a server has an address that cannot be reached from everywhere. */
function notGlobal(evidence: Evidence): readonly Draft[] {
  const { contacts, referred } = evidence;
  const wrong = outOfPlace(evidence);
  if (wrong.size === 0) return [];
  const inGlue = referred.flatMap(({ delegation: { zone, nameservers }, observed }) =>
    nameservers.flatMap(({ name, glue }) => glue.map((address) => ({ zone, name, address, observed }))),
  );
  const met = contacts.map(({ zone, server: { name, address } }) => ({ zone, name, address, observed: [] }));
  return [...inGlue, ...met].flatMap(({ zone, name, address, observed }): Draft[] => {
    if (zone === ROOT || !wrong.has(address)) return [];
    const problem = `${plain(name)}, a name server of ${plain(zone)}, has the ${addressSort(address)} address ${address}, which cannot be reached from the internet`;
    const proof = exchangesOf([...observed, ...answersWith(evidence, name, address)]);
    return [{ zone, server: { name, address }, problem, proof, ...repairOf(evidence.scope) }];
  });
}

/** Users who allow such addresses to be asked mean them to be there, for some resolvers at least. */
function repairOf({ specialTargets }: Evidence['scope']): Pick<Draft, 'advice' | 'severity'> {
  return specialTargets === 'allowed'
    ? { severity: 'notice', advice: 'Give it a public address if other resolvers are to reach it' }
    : { advice: 'Give it a public address' };
}

/** Those of the addresses met or given as glue, each looked at once. */
function outOfPlace(evidence: Evidence): ReadonlySet<string> {
  const addresses = new Set(evidence.contacts.map(({ server }) => server.address));
  for (const { delegation } of evidence.referred) {
    for (const { glue } of delegation.nameservers) for (const address of glue) addresses.add(address);
  }
  return new Set([...addresses].filter((address) => isOutOfPlace(evidence, address)));
}

/**
 * Whether an address is of a sort that is not reached from everywhere. The root hints show what
 * "everywhere" is: if root servers have loopback or documentation addresses (a lab, the demo), such
 * addresses are fine, while a private one is still out of place there, even if the options allow it to be asked.
 */
export function isOutOfPlace({ scope }: Evidence, address: string): boolean {
  const sort = addressSort(address);
  if (sort === 'global') return false;
  const isUsual = scope.hints.nameservers.some(({ glue }) => glue.some((one) => addressSort(one) === sort));
  return !isUsual;
}

/** The exchanges that gave this address in answer to a question for this name. */
function answersWith({ byName }: Evidence, name: Name, address: string): readonly Observation[] {
  return (byName.get(name) ?? []).filter(
    ({ meaning }) =>
      meaning.kind === 'answer' &&
      meaning.records.some(({ type, data }) => (type === 'A' || type === 'AAAA') && data === address),
  );
}

/** What an address is for, in as much detail as a sentence needs. */
type AddressSort = 'global' | 'loopback' | 'private' | 'documentation' | 'special-purpose';

/** The sort of an address in canonical text. */
function addressSort(address: string): AddressSort {
  const purpose = specialPurposeOf(address);
  return purpose === undefined ? 'global' : SORTS[purpose];
}

const SORTS: Readonly<Record<SpecialPurpose, AddressSort>> = {
  loopback: 'loopback',
  'private-use': 'private',
  shared: 'private',
  documentation: 'documentation',
  'this-network': 'special-purpose',
  'link-local': 'special-purpose',
  'protocol-assignments': 'special-purpose',
  '6to4-relay': 'special-purpose',
  benchmarking: 'special-purpose',
  multicast: 'special-purpose',
  reserved: 'special-purpose',
  'ipv4-mapped': 'special-purpose',
  translation: 'special-purpose',
  'discard-only': 'special-purpose',
  'segment-routing': 'special-purpose',
  unassigned: 'special-purpose',
};
