import type { PickedServer } from '../evaluate/end.ts';
import type { Delegation, Nameserver } from '../explore/delegation.ts';
import { listed } from '../reading/listed.ts';
import { plain } from '../reading/names.ts';
import { type Family, familyOf } from '../wire/address.ts';
import { isAtOrBelow, type Name, ROOT } from '../wire/name.ts';
import { addressSort } from './address-sort.ts';
import { byDelegatedName, type Check, type Draft } from './check.ts';
import type { Evidence, Heard, Resolution } from './evidence.ts';
import { exchangesOf, isWorking } from './heard.ts';

/** GLUE_MISSING: a server's name is within the zone, so only the referral can give its address, and it does not. */
export const glueMissing = byDelegatedName(
  ({ name, glue }, zone) => glue.length === 0 && isAtOrBelow(name, zone),
  (name, zone) => ({
    problem: `The delegation of ${plain(zone)} gives no address for ${plain(name)}, although that name is inside the zone`,
    advice: 'Add glue for it at the parent',
  }),
);

/** GLUE_MISMATCH: glue for a name inside the zone is wrong. */
export const glueMismatch: Check = (evidence) => mismatches(evidence, 'in-domain');

/** GLUE_FOREIGN_MISMATCH: so is glue that the referral need not have carried. */
export const foreignGlueMismatch: Check = (evidence) => mismatches(evidence, 'foreign');

/**
 * Only where the traversal happened to ask for the name itself. No address in common with what any
 * server says with authority: a server that has moved, not one that has one address more here or there.
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
 * What to do about a server that does not serve the zone. Where its address is known from glue alone,
 * while other servers of the zone work, it may by now be somebody else's, who owes the zone nothing.
 */
export function serveOrRemove(server: PickedServer, zone: Name, evidence: Evidence): string {
  return isDoubtful(server, zone, evidence)
    ? `Check that ${server.address} is still its address: if so, configure the zone there or remove the server from the delegation, and if not, correct the glue`
    : 'Configure the zone there or remove the server from the delegation';
}

function isDoubtful({ name, address }: PickedServer, zone: Name, evidence: Evidence): boolean {
  if (!isAtOrBelow(name, zone)) return false;
  const confirmed = authoritative(evidence, name, familyOf(address)).flatMap(addressesIn);
  const others = evidence.contacts.filter((one) => one.zone === zone && one.server.name !== name);
  return !confirmed.includes(address) && others.some(({ heard }) => heard.some(isWorking));
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

/** NS_NO_IPV4: every server's addresses were learnt, and all are IPv6. */
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
    const known = zones.get(resolution.zone);
    if (known === undefined) zones.set(resolution.zone, new Map([[resolution.name, resolution]]));
    else known.set(resolution.name, resolution);
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
      const known = names.get(address);
      if (known === undefined) names.set(address, [server.name]);
      else known.push(server.name);
    }
  }
  return names;
}

/** Glue is all there is for a name inside the zone; of another one it may be the half that came along. */
function isIpv6Only(evidence: Evidence, zone: Name, server: Nameserver, known: ByName | undefined): boolean {
  const addresses = addressesOf(server, known);
  if (addresses.length === 0 || addresses.some((address) => familyOf(address) === 4)) return false;
  return isAtOrBelow(server.name, zone) ? server.glue.length > 0 : isIpv4Denied(evidence, server.name);
}

/** Whether A was asked for and every server that said anything final said there is none. */
function isIpv4Denied({ byName }: Evidence, name: Name): boolean {
  const heard = (byName.get(name) ?? []).filter(({ exchanged }) => exchanged.question.type === 'A');
  const said = heard.map(({ meaning }) => meaning.kind).filter((kind) => kind !== 'referral');
  return said.length > 0 && said.every((kind) => kind === 'nodata');
}

/**
 * NS_ADDR_NOT_GLOBAL: a server has an address that the world cannot reach. What the world is, the
 * root hints say: where root servers are on loopback or documentation addresses (a lab, the demo) such
 * addresses are as good as any, while a private one is still out of place there. So this does not
 * depend on whether the options allowed to ask such addresses.
 */
export const notGlobal: Check = (evidence) => {
  const { scope, contacts, referred } = evidence;
  const usual = new Set(scope.hints.nameservers.flatMap(({ glue }) => glue.map(addressSort)));
  const inGlue = referred.flatMap(({ delegation: { zone, nameservers }, heard }) =>
    nameservers.flatMap(({ name, glue }) => glue.map((address) => ({ zone, name, address, heard }))),
  );
  const met = contacts.map(({ zone, server: { name, address } }) => ({ zone, name, address, heard: [] }));
  return [...inGlue, ...met].flatMap(({ zone, name, address, heard }): Draft[] => {
    const sort = addressSort(address);
    if (zone === ROOT || sort === 'global' || usual.has(sort)) return [];
    const problem = `${plain(name)}, a name server of ${plain(zone)}, has the ${sort} address ${address}, which cannot be reached from the Internet`;
    const advice = 'Give it a public address';
    const proof = exchangesOf([...heard, ...answersWith(evidence, name, address)]);
    return [{ zone, server: { name, address }, problem, advice, proof }];
  });
};

/** The exchanges that gave this address of this name as an answer. */
function answersWith({ byName }: Evidence, name: Name, address: string): readonly Heard[] {
  return (byName.get(name) ?? []).filter(
    ({ meaning }) =>
      meaning.kind === 'answer' &&
      meaning.records.some(({ type, data }) => (type === 'A' || type === 'AAAA') && data === address),
  );
}
