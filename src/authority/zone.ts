/* Makes a zone of records, and finds records in it; says what signs it. */

import { toHex } from '../base/encodings.ts';
import { getOrMake } from '../base/memo.ts';
import { isAtOrBelow, type Name, parentOf } from '../dns/name.ts';
import { ZoneFileError } from './entries.ts';
import { readZoneFile, type ZoneRecord } from './zone-file.ts';

/** A zone as a server serves it. */
export interface Zone {
  readonly apex: Name;
  readonly soa: ZoneRecord;
  /** Every name that exists in the zone, empty non-terminals and names below cuts included. */
  readonly nodes: ReadonlyMap<Name, Node>;
  /** Absent: the zone is not signed, or nobody has asked for signatures. */
  readonly security?: ZoneSecurity;
}

/** The records at one name; none for an empty non-terminal (RFC 4592 2.2.2). */
export type Node = readonly ZoneRecord[];

/** Reads a zone from its zone file; the apex is the owner of the SOA. Throws ZoneFileError. */
export function readZone(text: string): Zone {
  const { zone, outside } = zoneOf(readZoneFile(text));
  const [stray] = outside;
  if (stray !== undefined)
    throw new ZoneFileError(`${stray.name} is not in the zone ${zone.apex}`, placeOf(stray));
  return zone;
}

/** A zone, and the records of its file that are not in it. */
export interface ZoneWithStrays {
  readonly zone: Zone;
  readonly outside: readonly ZoneRecord[];
}

/** Two names of one octet each, and five numbers of 32 bits. */
const LEAST_SOA = 22;

/** The zone that records make, of a file if it has a name. Throws ZoneFileError if they have no SOA, or more than one. */
export function zoneOf(records: readonly ZoneRecord[], file?: string): ZoneWithStrays {
  const [soa, second] = records.filter((record) => record.type === 'SOA');
  if (soa === undefined) throw new ZoneFileError('the zone has no SOA record', { file, line: 1 });
  if (soa.rdata.length < LEAST_SOA)
    throw new ZoneFileError('the data of the SOA record are too short', placeOf(soa));
  if (second !== undefined && !isSame(soa, second))
    throw new ZoneFileError('the zone has a second SOA record', placeOf(second));
  const nodes = new Map<Name, ZoneRecord[]>();
  const outside: ZoneRecord[] = [];
  for (const record of records) {
    if (!isAtOrBelow(record.name, soa.name)) outside.push(record);
    else {
      const node = nodes.get(record.name);
      if (node === undefined) nodes.set(record.name, [record]);
      else node.push(record);
    }
  }
  for (const [name, node] of nodes) if (node.length > 1) nodes.set(name, distinct(node));
  addEmptyNonTerminals(nodes, soa.name);
  return { zone: { apex: soa.name, soa, nodes }, outside };
}

/** Each record once (RFC 2181 5). */
function distinct(node: ZoneRecord[]): ZoneRecord[] {
  const [first, second] = node;
  if (node.length === 2 && first?.type !== second?.type) return node;
  const keys = new Set<string>();
  return node.filter(({ type, rdata }) => keys.size < keys.add(`${type} ${toHex(rdata)}`).size);
}

function placeOf({ file, line }: ZoneRecord): ZoneFileError['place'] {
  return { file, line: line ?? 1 };
}

function isSame(one: ZoneRecord, other: ZoneRecord): boolean {
  return one.name === other.name && Buffer.compare(one.rdata, other.rdata) === 0;
}

function addEmptyNonTerminals(nodes: Map<Name, ZoneRecord[]>, apex: Name): void {
  let known: Name | undefined;
  for (const name of [...nodes.keys()]) {
    const parent = name === apex ? undefined : parentOf(name);
    // Names that follow one another mostly have the same parent.
    let above = parent === known ? undefined : parent;
    known = parent;
    while (above !== undefined && !nodes.has(above)) {
      nodes.set(above, []);
      above = parentOf(above);
    }
  }
}

/** The records of one type at one name of the zone, possibly none. */
export function rrset(zone: Zone, name: Name, type: string): readonly ZoneRecord[] {
  return ofType(zone.nodes.get(name) ?? [], type);
}

/** Those of one type. */
export function ofType(node: Node, type: string): readonly ZoneRecord[] {
  if (node.length <= FEW) return node.filter((record) => record.type === type);
  const types = getOrMake(byType, node, () => {
    const found = new Map<string, ZoneRecord[]>();
    for (const record of node) getOrMake(found, record.type, () => []).push(record);
    return found;
  });
  return types.get(type) ?? [];
}

/** So few records are looked through each time. */
const FEW = 16;
const byType = new WeakMap<Node, ReadonlyMap<string, readonly ZoneRecord[]>>();

/** The types that a name has, in the order of their first records. */
export function typesOf(node: Node): readonly string[] {
  return [...new Set(node.map(({ type }) => type))];
}

/** Whether a zone cut is at the name: NS records below the apex. */
export function isCut(zone: Zone, name: Name): boolean {
  return name !== zone.apex && rrset(zone, name, 'NS').length > 0;
}

/** Finds the cut or the DNAME above a name; undefined: replies show the name. */
export type Hider = (name: Name) => ZoneRecord | undefined;

/** What hides names of a zone. */
export function hiderIn(zone: Zone): Hider {
  const known = new Map<Name, ZoneRecord | 'nothing'>();
  const hides: Hider = (name) => {
    const above = name === zone.apex ? undefined : parentOf(name);
    if (above === undefined) return undefined;
    let hiding = known.get(above);
    if (hiding === undefined) {
      hiding = hides(above) ?? hidingAt(zone, above) ?? 'nothing';
      known.set(above, hiding);
    }
    return hiding === 'nothing' ? undefined : hiding;
  };
  return hides;
}

function hidingAt(zone: Zone, name: Name): ZoneRecord | undefined {
  const [cut] = isCut(zone, name) ? rrset(zone, name, 'NS') : rrset(zone, name, 'DNAME');
  return cut;
}

/** The last field of the SOA record: the TTL of negative answers is no greater (RFC 2308 5), in seconds. */
export function minimumOf({ soa: { rdata } }: Zone): number {
  return Buffer.from(rdata).readUInt32BE(rdata.length - 4);
}

/** Records of one owner and type. */
export type RRset = readonly ZoneRecord[];

/** What a server of a signed zone signs and proves with. */
export interface ZoneSecurity {
  /** The records of a set, then their signatures. `original`: a record of it as the zone has it, perhaps at a wildcard. */
  readonly signed: (set: RRset, original: Pick<ZoneRecord, 'name' | 'type' | 'ttl'>) => RRset;
  /** What backs an assertion, without signatures: of a cut its DS records, or that it has none. A record may occur twice. */
  readonly proof: Prove;
}

/** Finds the records that prove an assertion. */
export type Prove = (assertion: Assertion) => readonly ZoneRecord[];

/** Something that a reply says of a name of a zone without records of that name. */
export interface Assertion {
  readonly kind: /** There is no such name, and no wildcard for it. */
    | 'no-name'
    /** The name, or the wildcard for it, does not have the type asked. */
    | 'no-data'
    /** There is no such name, so that a wildcard stands in for it. */
    | 'expanded'
    /** It is a zone cut: the zone below is signed, or it is not. */
    | 'cut';
  readonly name: Name;
}
