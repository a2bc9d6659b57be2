/* Compares the addresses of a name server in glue with those of its zone. */

import { getOrMake } from '../base/memo.ts';
import { type Family, familyOf } from '../dns/address.ts';
import { isAtOrBelow, type Name, parentOf, ROOT } from '../dns/name.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { addressesIn, lookupTypes } from '../explore/addresses.ts';
import type { ShownFault } from './check.ts';
import { askedExchanges, contactAsked, type Evidence, hasFlag, oncePer, soasOf } from './evidence.ts';
import { isOutdated } from './zones/versions.ts';

/** What all servers with authority say together; servers with an old version of the zone only if no other does. */
export function hostAddresses(evidence: Evidence, name: Name, family: Family): HostAddresses | undefined {
  const hosts = getOrMake(known, evidence, () => new Map<string, HostAddresses | 'unknown'>());
  const found = getOrMake(hosts, `${name} ${family}`, () => together(evidence, name, family));
  return found === 'unknown' ? undefined : found;
}

/** What a host's own zone says that its addresses of one family are. */
export interface HostAddresses {
  /** Sorted; empty where the zone says that there are none. */
  readonly addresses: readonly string[];
  /** The replies that said so: at least one. */
  readonly proof: readonly Exchanged[];
}

const known = new WeakMap<Evidence, Map<string, HostAddresses | 'unknown'>>();

/** What one server says of a host. */
interface Said {
  readonly zone: Name;
  readonly addresses: readonly string[];
  readonly exchanged: Exchanged;
}

function together(evidence: Evidence, name: Name, family: Family): HostAddresses | 'unknown' {
  const all = [...observedAddresses(evidence, name, family), ...publishedAddresses(evidence, name, family)];
  const current = all.filter(({ zone, exchanged }) => !isOutdated(evidence, zone, exchanged.address));
  const said = current.length > 0 ? current : all;
  if (said.length === 0) return 'unknown';
  const addresses = [...new Set(said.flatMap((one) => one.addresses))].sort();
  return { addresses, proof: [...new Set(said.map(({ exchanged }) => exchanged))] };
}

/** What was observed when the host was looked up, on a path or for a product, or its zone was asked because an address fails. */
function observedAddresses(evidence: Evidence, name: Name, family: Family): readonly Said[] {
  const [lookup] = lookupTypes([family]);
  return (lookupsIn(evidence).get(name) ?? []).flatMap((exchanged): Said[] => {
    const { outcome, question } = exchanged;
    if (question.type !== lookup?.type || outcome.kind !== 'reply') return [];
    const own = outcome.answer.filter((record) => record.name === name);
    const zone = contactAsked(exchanged, evidence.contacts)?.zone ?? parentOf(name) ?? ROOT;
    const isDenial = soasOf({ exchanged }).some((soa) => soa.name === zone);
    return own.length > 0 || isDenial ? [{ zone, addresses: addressesIn(own), exchanged }] : [];
  });
}

/** By name: the questions for addresses that were answered with authority. */
const lookupsIn = oncePer(({ recording }: Evidence): ReadonlyMap<Name, readonly Exchanged[]> => {
  const byName = new Map<Name, Exchanged[]>();
  const probes = recording.probes.filter(({ probe }) => probe === 'host-address');
  for (const exchanged of [...askedExchanges(recording), ...probes]) {
    const { name, type } = exchanged.question;
    if (ADDRESS_TYPES.has(type) && hasFlag({ exchanged }, 'aa'))
      getOrMake(byName, name, (): Exchanged[] => []).push(exchanged);
  }
  return byName;
});

const ADDRESS_TYPES: ReadonlySet<string> = new Set(lookupTypes([4, 6]).map(({ type }) => type));

/** What servers of zones on the way said when they were asked about the zone. */
function publishedAddresses({ zones }: Evidence, name: Name, family: Family): readonly Said[] {
  return [...zones.values()].flatMap(({ zone, servers }) => {
    if (!isAtOrBelow(name, zone)) return [];
    return servers.flatMap(({ addressesOf }): Said[] => {
      const said = addressesOf(name, family);
      return said === undefined ? [] : [{ zone, addresses: said.value, exchanged: said.exchanged }];
    });
  });
}

/**
 * What to do about a server that does not serve the zone. If its address is known from glue alone and other servers of the
 * zone work, that address may by now belong to somebody else.
 */
export function serveOrRemove({ server, zone, evidence }: ShownFault): string {
  const { name, address } = server;
  const removal = `remove the server from ${namedIn(name, zone, evidence)}`;
  const isOpen = isAtOrBelow(name, zone) && hostAddresses(evidence, name, familyOf(address)) === undefined;
  return isOpen && [...(evidence.working.get(zone) ?? [])].some((other) => other !== name)
    ? `Check that ${address} is still its address: if so, configure the zone there or ${removal}, and if not, correct the glue`
    : `Configure the zone there or ${removal}`;
}

/** The records that name a server of a zone, for advice to remove it: those of the delegation, or of the zone itself. */
export function namedIn(name: Name, zone: Name, { referred, zones }: Evidence): string {
  const isDelegated = referred.some(
    ({ delegation }) => delegation.zone === zone && delegation.nameservers.some((one) => one.name === name),
  );
  return isDelegated || !zones.has(zone) ? 'the delegation' : 'the NS records of the zone';
}
