/* Compares the addresses of name servers in a zone file with their glue at the parent. */

import { addressFromBytes } from '../dns/address.ts';
import { isAtOrBelow, type Name } from '../dns/name.ts';
import { rrset, type Zone } from './zone.ts';
import type { ZoneFault } from './zone-fault.ts';

/** The glue of a delegation: addresses by the name of the server. */
export type Glue = ReadonlyMap<Name, readonly string[]>;

/** The glue that a parent zone has for a child zone; undefined if the parent does not delegate it. */
export function glueIn(parent: Zone, apex: Name): Glue | undefined {
  const servers = rrset(parent, apex, 'NS').flatMap(({ target }) => target ?? []);
  if (servers.length === 0) return undefined;
  return new Map(servers.map((name) => [name, FAMILIES.flatMap((type) => addressesOf(parent, name, type))]));
}

const FAMILIES = ['A', 'AAAA'] as const;
type AddressType = (typeof FAMILIES)[number];

/** The name servers within the zone whose addresses differ from their glue. An address family without glue is not compared. */
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
