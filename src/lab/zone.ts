import { getOrMake } from '../base/memo.ts';
import { isAtOrBelow, type Name, parentOf } from '../dns/name.ts';
import type { ZoneSecurity } from './signing/signer.ts';
import { readZoneFile, ZoneFileError, type ZoneRecord } from './zone-file.ts';

/** A zone as a server serves it. */
export interface Zone {
  readonly apex: Name;
  readonly soa: ZoneRecord;
  /** Every name that exists in the zone, empty non-terminals and names below cuts included. */
  readonly nodes: ReadonlyMap<Name, Node>;
  /** Absent: the zone is not signed, or nobody has asked for signatures. */
  readonly security?: ZoneSecurity;
}

/** The records at one name by their type; empty for an empty non-terminal (RFC 4592 2.2.2). */
export type Node = ReadonlyMap<string, readonly ZoneRecord[]>;

/** Reads a zone from its zone file; the apex is the owner of the SOA. Throws ZoneFileError. */
export function readZone(text: string): Zone {
  return zoneOf(readZoneFile(text));
}

/** Two names of one octet each, and five numbers of 32 bits. */
const LEAST_SOA = 22;

function zoneOf(records: readonly ZoneRecord[]): Zone {
  const [soa, second] = records.filter((record) => record.type === 'SOA');
  if (soa === undefined) throw new ZoneFileError(1, 'the zone has no SOA record');
  if (soa.rdata.length < LEAST_SOA)
    throw new ZoneFileError(soa.line ?? 1, 'the data of the SOA record are too short');
  if (second !== undefined) throw new ZoneFileError(second.line ?? 1, 'the zone has a second SOA record');
  const nodes = new Map<Name, Map<string, ZoneRecord[]>>();
  for (const record of records) {
    if (!isAtOrBelow(record.name, soa.name)) {
      throw new ZoneFileError(record.line ?? 1, `${record.name} is not in the zone ${soa.name}`);
    }
    addRecord(nodes, record);
  }
  addEmptyNonTerminals(nodes, soa.name);
  return { apex: soa.name, soa, nodes };
}

function addRecord(nodes: Map<Name, Map<string, ZoneRecord[]>>, record: ZoneRecord): void {
  const node = getOrMake(nodes, record.name, () => new Map<string, ZoneRecord[]>());
  getOrMake(node, record.type, () => []).push(record);
}

function addEmptyNonTerminals(nodes: Map<Name, Map<string, ZoneRecord[]>>, apex: Name): void {
  for (const name of [...nodes.keys()]) {
    let above = name === apex ? undefined : parentOf(name);
    while (above !== undefined && !nodes.has(above)) {
      nodes.set(above, new Map());
      above = parentOf(above);
    }
  }
}

/** The records of one type at one name of the zone, possibly none. */
export function rrset(zone: Zone, name: Name, type: string): readonly ZoneRecord[] {
  return zone.nodes.get(name)?.get(type) ?? [];
}

/** The last field of the SOA record: the TTL of negative answers is no greater (RFC 2308 5), in seconds. */
export function minimumOf({ soa: { rdata } }: Zone): number {
  return Buffer.from(rdata).readUInt32BE(rdata.length - 4);
}
