import type { PickedServer } from '../evaluate/end.ts';
import type { Delegation, Nameserver } from '../explore/delegation.ts';
import { getOrMake } from '../get-or-make.ts';
import { listed } from '../reading/words/listed.ts';
import { plain } from '../reading/words/names.ts';
import { type Family, familyOf } from '../wire/address.ts';
import { isAtOrBelow, type Name, ROOT } from '../wire/name.ts';
import { addressSort } from './address-sort.ts';
import { byDelegatedName, type Check, type Draft } from './check.ts';
import type { Evidence, Heard, Resolution } from './evidence.ts';
import { exchangesOf } from './heard.ts';

/** GLUE_MISSING: a server's name is inside the zone, so only the referral can give its address, and it does not. */
export const glueMissing = byDelegatedName(
  ({ name, glue }, zone) => glue.length === 0 && isAtOrBelow(name, zone),
  (name, zone) => ({
    problem: `The delegation of ${plain(zone)} gives no address for ${plain(name)}, although that name is inside the zone`,
    advice: 'Add glue for it at the parent',
  }),
);

/** GLUE_MISMATCH: glue for a name inside the zone is wrong. */
export const glueMismatch: Check = (evidence) => mismatches(evidence, 'in-domain');

/** GLUE_FOREIGN_MISMATCH: glue that the referral need not have carried is wrong. */
export const foreignGlueMismatch: Check = (evidence) => mismatches(evidence, 'foreign');

/**
 * Seen only if the traversal happened to look up the name. The glue must have no address in common with
 * any authoritative answer: then the server has moved, rather than gained or lost an address.
 */
function mismatches(evidence: Evidence, where: 'in-domain' | 'foreign'): readonly Draft[] {
  return evidence.referred.flatMap(({ delegation: { zone, nameservers }, heard }) =>
    nameservers.flatMap(({ name, glue }): Draft[] => {
      if (glue.length === 0 || isAtOrBelow(name, zone) !== (where === 'in-domain')) return [];
      return ([4, 6] as const).flatMap((family) => {
        const given = glue.filter((address) => familyOf(address) === family);
        const said = authoritative(evidence, name, family);
        const right = new Set(said.flatMap(addressesIn));
        const [address] = given;
        if (address === undefined || right.size === 0 || given.some((one) => right.has(one))) return [];
        const problem = `The delegation of ${plain(zone)} gives ${plain(name)} the address ${listed(given)}, but its own zone says ${listed([...right])}`;
        const advice = 'Correct the glue at the parent';
        return [
          { zone, server: { name, address }, problem, advice, proof: exchangesOf([...heard, ...said]) },
        ];
      });
    }),
  );
}

function authoritative({ byName }: Evidence, name: Name, family: Family): readonly Heard[] {
  const type = family === 4 ? 'A' : 'AAAA';
  return (byName.get(name) ?? []).filter(
    ({ exchanged, meaning }) =>
      exchanged.question.type === type &&
      meaning.kind === 'answer' &&
      meaning.authoritative &&
      meaning.aliases.length === 0,
  );
}

/**
 * What to do about a server that does not serve the zone. If its address is known from glue alone and
 * other servers of the zone work, that address may by now belong to somebody else.
 */
export function serveOrRemove(server: PickedServer, zone: Name, evidence: Evidence): string {
  return isDoubtful(server, zone, evidence)
    ? `Check that ${server.address} is still its address: if so, configure the zone there or remove the server from the delegation, and if not, correct the glue`
    : 'Configure the zone there or remove the server from the delegation';
}

function isDoubtful({ name, address }: PickedServer, zone: Name, evidence: Evidence): boolean {
  if (!isAtOrBelow(name, zone)) return false;
  const confirmed = authoritative(evidence, name, familyOf(address)).flatMap(addressesIn);
  const working = evidence.working.get(zone) ?? [];
  return !confirmed.includes(address) && [...working].some((other) => other !== name);
}

function addressesIn({ meaning }: Heard): readonly string[] {
  return meaning.kind === 'answer' ? meaning.records.map(({ data }) => data) : [];
}

/** NS_SAME_ADDRESS: several names of one delegation have an address in common. */
export const sameAddress: Check = (evidence) => {
  const known = resolutionsByZone(evidence);
  return evidence.referred.flatMap(({ delegation, heard }) => {
    const { zone } = delegation;
    return [...namesByAddress(delegation, known.get(zone))].flatMap(([address, names]): Draft[] => {
      const [name] = names;
      if (name === undefined || names.length < 2) return [];
      const problem = `${listed(names.map(plain))}, name servers of ${plain(zone)}, share the address ${address}, so they are one machine counted ${names.length === 2 ? 'twice' : `${names.length} times`}`;
      const advice = 'Give each name a machine of its own, or name the machine only once';
      return [{ zone, server: { name, address }, problem, advice, proof: exchangesOf(heard) }];
    });
  });
};

/** NS_NO_IPV4: the addresses of every server are known, and all are IPv6. */
export const noIpv4: Check = (evidence) => {
  const known = resolutionsByZone(evidence);
  const mayHaveIpv4 = evidence.referred
    .map(({ delegation }) => delegation)
    .filter(({ zone, nameservers }) =>
      nameservers.some((server) => !isIpv6Only(evidence, zone, server, known.get(zone))),
    );
  const spared = new Set(mayHaveIpv4.map(({ zone }) => zone));
  return [...evidence.referrals].flatMap(([zone, heard]): Draft[] => {
    if (spared.has(zone)) return [];
    const problem = `No name server of ${plain(zone)} has an IPv4 address, so resolvers without IPv6 cannot reach the zone`;
    return [{ zone, problem, advice: 'Add a name server that has one', proof: exchangesOf(heard) }];
  });
};

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
  return isAtOrBelow(server.name, zone) ? server.glue.length > 0 : isIpv4Denied(evidence, server.name);
}

/** Whether an A record was asked for and every final reply was that there is none. */
function isIpv4Denied({ byName }: Evidence, name: Name): boolean {
  const heard = (byName.get(name) ?? []).filter(({ exchanged }) => exchanged.question.type === 'A');
  const said = heard.map(({ meaning }) => meaning.kind).filter((kind) => kind !== 'referral');
  return said.length > 0 && said.every((kind) => kind === 'nodata');
}

/** NS_ADDR_NOT_GLOBAL: a server has an address that cannot be reached from everywhere. */
export const notGlobal: Check = (evidence) => {
  const { contacts, referred } = evidence;
  const inGlue = referred.flatMap(({ delegation: { zone, nameservers }, heard }) =>
    nameservers.flatMap(({ name, glue }) => glue.map((address) => ({ zone, name, address, heard }))),
  );
  const met = contacts.map(({ zone, server: { name, address } }) => ({ zone, name, address, heard: [] }));
  return [...inGlue, ...met].flatMap(({ zone, name, address, heard }): Draft[] => {
    if (zone === ROOT || !isOutOfPlace(evidence, address)) return [];
    const problem = `${plain(name)}, a name server of ${plain(zone)}, has the ${addressSort(address)} address ${address}, which cannot be reached from the internet`;
    const advice = 'Give it a public address';
    const proof = exchangesOf([...heard, ...answersWith(evidence, name, address)]);
    return [{ zone, server: { name, address }, problem, advice, proof }];
  });
};

/**
 * Whether an address is of a sort that is not reached from everywhere. The root hints show what
 * "everywhere" is: if root servers have loopback or documentation addresses (a lab, the demo), such
 * addresses are fine, while a private one is still wrong there. So this does not depend on whether the
 * options allow such addresses to be asked.
 */
export function isOutOfPlace({ scope }: Evidence, address: string): boolean {
  const sort = addressSort(address);
  const usual = scope.hints.nameservers.some(({ glue }) => glue.some((one) => addressSort(one) === sort));
  return sort !== 'global' && !usual;
}

/** The exchanges that gave this address in answer to a question for this name. */
function answersWith({ byName }: Evidence, name: Name, address: string): readonly Heard[] {
  return (byName.get(name) ?? []).filter(
    ({ meaning }) =>
      meaning.kind === 'answer' &&
      meaning.records.some(({ type, data }) => (type === 'A' || type === 'AAAA') && data === address),
  );
}
