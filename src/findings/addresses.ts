import type { Delegation, Nameserver } from '../explore/delegation.ts';
import { listed } from '../reading/listed.ts';
import { plain } from '../reading/names.ts';
import { familyOf } from '../wire/address.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence, Resolution } from './evidence.ts';

/** NS_SAME_ADDRESS: several names of one delegation have an address in common. */
export const sameAddress: Check = (evidence) => {
  const known = resolutionsByZone(evidence);
  return evidence.referred.flatMap(({ delegation, heard }) => {
    const { zone } = delegation;
    return [...namesByAddress(delegation, known.get(zone))].flatMap(([address, names]): Draft[] => {
      const [name] = names;
      if (name === undefined || names.length < 2) return [];
      const message = `${listed(names.map(plain))}, servers of ${plain(zone)}, share the address ${address}, so one machine is counted ${names.length} times: give each name a machine of its own, or name it once.`;
      const proof = heard.map(({ exchanged }) => exchanged);
      return [{ zone, server: { name, address }, message, proof }];
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
    const message = `No name server of ${plain(zone)} has an IPv4 address, so who has no IPv6 cannot reach it: add one that has.`;
    return [{ zone, message, proof: heard.map(({ exchanged }) => exchanged) }];
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
  const said = heard.map(({ response }) => response.kind).filter((kind) => kind !== 'referral');
  return said.length > 0 && said.every((kind) => kind === 'nodata');
}
