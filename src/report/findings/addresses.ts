import type { Delegation, Nameserver } from '../../explore/delegation.ts';
import { familyOf } from '../../wire/address.ts';
import type { Name } from '../../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence, Referred, Resolution } from './evidence.ts';
import { listed, plain } from './words.ts';

/** NS_SAME_ADDRESS: several names of one delegation have an address in common. */
export const sameAddress: Check = (evidence) => {
  const known = resolutionsByZone(evidence);
  return evidence.referred.flatMap(({ delegation, heard }) => {
    const { zone } = delegation;
    return [...namesByAddress(delegation, known.get(zone))].flatMap(([address, names]): Draft[] => {
      const [name] = names;
      if (name === undefined || names.length < 2) return [];
      const message = `${listed(names.map(plain))}, servers of ${plain(zone)}, are one and the same address ${address}: give the zone a second server in earnest.`;
      const proof = heard.map(({ exchanged }) => exchanged);
      return [{ zone, server: { name, address }, message, proof }];
    });
  });
};

/** NS_NO_IPV4: every server's addresses were learnt, and all are IPv6. */
export const noIpv4: Check = (evidence) => {
  const known = resolutionsByZone(evidence);
  const zones = new Map<Name, Referred[]>();
  for (const referred of evidence.referred) {
    const { zone } = referred.delegation;
    zones.set(zone, [...(zones.get(zone) ?? []), referred]);
  }
  return [...zones].flatMap(([zone, referred]): Draft[] => {
    const servers = referred.flatMap(({ delegation }) => delegation.nameservers);
    if (!servers.every((server) => isKnownIpv6(evidence, server, known.get(zone)))) return [];
    const message = `No name server of ${plain(zone)} has an IPv4 address, so most of the world cannot reach it: add one that has.`;
    return [
      { zone, message, proof: referred.flatMap(({ heard }) => heard).map(({ exchanged }) => exchanged) },
    ];
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

function namesByAddress({ nameservers }: Delegation, known: ByName | undefined): ReadonlyMap<string, Name[]> {
  const names = new Map<string, Name[]>();
  for (const server of nameservers) {
    for (const address of addressesOf(server, known)) {
      names.set(address, [...(names.get(address) ?? []), server.name]);
    }
  }
  return names;
}

function isKnownIpv6(evidence: Evidence, server: Nameserver, known: ByName | undefined): boolean {
  const addresses = addressesOf(server, known);
  if (addresses.length === 0 || addresses.some((address) => familyOf(address) === 4)) return false;
  return server.glue.length > 0 || isIpv4Denied(evidence, server.name);
}

/** Whether A was asked for and every server that said anything final said there is none. */
function isIpv4Denied({ byName }: Evidence, name: Name): boolean {
  const heard = (byName.get(name) ?? []).filter(({ exchanged }) => exchanged.question.type === 'A');
  const said = heard.map(({ response }) => response.kind).filter((kind) => kind !== 'referral');
  return said.length > 0 && said.every((kind) => kind === 'nodata');
}
