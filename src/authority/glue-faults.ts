/* Compares the addresses that a zone file has of its servers with those that its parent is going to give. */

import { addressFromBytes } from '../dns/address.ts';
import { isAtOrBelow, type Name } from '../dns/name.ts';
import { rrset, type Zone } from './zone.ts';
import type { ZoneFault } from './zone-fault.ts';

/** The addresses that come with a delegation, by the name of the server. */
export type Glue = ReadonlyMap<Name, readonly string[]>;

/** The glue that a zone has for one below it; undefined if it does not delegate that. */
export function glueIn(parent: Zone, apex: Name): Glue | undefined {
  const servers = rrset(parent, apex, 'NS').flatMap(({ target }) => target ?? []);
  if (servers.length === 0) return undefined;
  return new Map(servers.map((name) => [name, FAMILIES.flatMap((type) => addressesOf(parent, name, type))]));
}

const FAMILIES = ['A', 'AAAA'] as const;
type AddressType = (typeof FAMILIES)[number];

/** Servers within the zone whose addresses in the zone are others than with its delegation. A family without glue is none of it. */
export function glueFaults(zone: Zone, glue: Glue): readonly ZoneFault[] {
  return [...glue].flatMap(([name, addresses]) =>
    isAtOrBelow(name, zone.apex) ? FAMILIES.flatMap((type) => glueFault(zone, name, type, addresses)) : [],
  );
}

function glueFault(zone: Zone, name: Name, type: AddressType, glue: readonly string[]): readonly ZoneFault[] {
  const given = glue.filter((address) => address.includes(':') === (type === 'AAAA')).sort();
  const own = addressesOf(zone, name, type).sort();
  if (given.length === 0 || given.join() === own.join()) return [];
  const record = rrset(zone, name, type)[0] ?? rrset(zone, zone.apex, 'NS')[0] ?? zone.soa;
  const { line = 1, file } = record;
  const detail = `${own.join(', ') || 'no such address'} here, ${given.join(', ')}`;
  return [{ code: 'FILE_GLUE_DIFFERS', name, type, line, ...(file !== undefined && { file }), detail }];
}

function addressesOf(zone: Zone, name: Name, type: AddressType): string[] {
  return rrset(zone, name, type).map(({ rdata }) => addressFromBytes(rdata));
}
