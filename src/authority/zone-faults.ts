/* Finds faults of a zone file that servers load all the same, or not at all, and differences from the glue at the parent. */

import { addressFromBytes } from '../dns/address.ts';
import { isAtOrBelow, type Name } from '../dns/name.ts';
import { rdataText } from '../dns/rdata/rdata.ts';
import { Reader } from '../dns/reader.ts';
import { answerFrom } from './answer.ts';
import { denialFaults } from './denial-faults.ts';
import type { presignedZoneOf } from './presigned.ts';
import { type Hider, hiderIn, isCut, ofType, rrset, type Zone } from './zone.ts';
import type { ZoneFault, ZoneFaultCode } from './zone-fault.ts';
import type { ZoneRecord } from './zone-file.ts';

/** The most that are listed of one kind. */
const MOST_LISTED = 25;

/** Faults of the zone that a file makes by itself, by line; `now`: in milliseconds since 1970. */
export function faultsOf(presigned: ReturnType<typeof presignedZoneOf>, now: number): readonly ZoneFault[] {
  const { zone, outside, signatures } = presigned;
  const hides = hiderIn(zone);
  const { alias, nothing } = targetsWithout(zone, hides);
  const found: readonly (readonly [ZoneFaultCode, readonly Shown[]])[] = [
    ['FILE_REFUSED', refused(zone, outside)],
    ['FILE_TEXT_CUT', nodesOf(zone, cutTexts)],
    ['FILE_OUT_OF_ZONE', outside.map((record) => ({ record }))],
    ['FILE_CNAME_AND_OTHER_DATA', nodesOf(zone, besideCname)],
    ['FILE_DNAME_CONFLICT', nodesOf(zone, (node) => besideDname(node, zone.apex))],
    ['FILE_NO_NS', rrset(zone, zone.apex, 'NS').length === 0 ? [{ record: zone.soa }] : []],
    ['FILE_NS_WITHOUT_ADDRESS', serversWithoutAddress(zone, hides)],
    ['FILE_TARGET_IS_ALIAS', alias],
    [
      'FILE_TARGET_WITHOUT_ADDRESS',
      nothing.filter(({ record, detail }) => record.type !== 'NS' || isAddress(detail)),
    ],
    ['FILE_OCCLUDED', occluded(zone, hides)],
    ['FILE_TTLS_DIFFER', nodesOf(zone, otherTtl)],
    ['FILE_SOA_VALUES', soaValues(zone)],
    ['FILE_SIGNATURE_EXPIRES', expiring(signatures, now)],
    ['FILE_DENIAL_BROKEN', denialFaults(presigned, hides)],
  ];
  return found
    .flatMap(([code, shown]) => listed(code, shown))
    .sort(
      (one, other) =>
        Number(one.file !== undefined) - Number(other.file !== undefined) || one.line - other.line,
    );
}

/** A record that shows a fault. */
interface Shown {
  readonly record: ZoneRecord;
  readonly detail?: string;
  /** How many other records it stands for. */
  readonly more?: number;
}

function listed(code: ZoneFaultCode, shown: readonly Shown[]): readonly ZoneFault[] {
  const left = shown.length - MOST_LISTED;
  return shown.slice(0, MOST_LISTED).map(({ record, detail, more = 0 }, at) => ({
    code,
    name: record.name,
    type: record.type,
    line: record.line ?? 1,
    ...(record.file !== undefined && { file: record.file }),
    ...(detail !== undefined && { detail }),
    ...(more > 0 && { more }),
    ...(left > 0 && at === MOST_LISTED - 1 && { more: left }),
  }));
}

function nodesOf(zone: Zone, faults: (node: readonly ZoneRecord[]) => readonly Shown[]): readonly Shown[] {
  return [...zone.nodes.values()].flatMap((node) => faults(node));
}

/** The records for which servers refuse the whole file, with the reason and the servers. */
function refused(zone: Zone, outside: readonly ZoneRecord[]): readonly Shown[] {
  const keys = ofType(zone.nodes.get(zone.apex) ?? [], 'DNSKEY');
  const written = outside.filter((record) => record.refused !== undefined);
  const all = [...zone.nodes.values()].flatMap((node) => {
    const large = sizesOf(node).filter(({ octets }) => octets > MOST_RRSET);
    return [
      ...node.flatMap((record) => {
        const detail = record.refused ?? reasonToRefuse(record, zone.apex, keys.length > 0);
        return detail === undefined ? [] : [{ record, detail }];
      }),
      ...large.map(({ record, octets }) => ({
        record,
        detail: `its RRset has ${octets} octets, more than a message can have (65,535): BIND refuses the file`,
      })),
    ];
  });
  const shown = [...written.map((record) => ({ record, detail: record.refused ?? '' })), ...all];
  // $GENERATE makes many of one line.
  return shown.filter(({ record: { line, file } }, at) =>
    shown.slice(0, at).every(({ record }) => record.line !== line || record.file !== file),
  );
}

/** Why a server refuses a file with this record; undefined: none does. */
function reasonToRefuse({ name, type, rdata }: ZoneRecord, apex: Name, hasKeys: boolean): string | undefined {
  if (type === 'ANY')
    return 'no record has the type ANY (RFC 1035 3.2.3): BIND, Knot DNS and NSD refuse the file';
  if (type === 'DS' && name === apex)
    return 'DS records belong to the parent zone (RFC 4035 2.4): BIND refuses the file';
  if (type === 'NS' && name.startsWith('*.'))
    return 'a wildcard delegates nothing (RFC 4592 4.2): BIND refuses the file';
  const isRequest = name === apex && (type === 'CDS' || type === 'CDNSKEY');
  // "0 0 0 00" asks for the removal of all (RFC 8078 4).
  if (isRequest && !hasKeys && !isRemoval(type, rdata))
    return 'it is of a key that the zone does not have (RFC 7344 4.1): BIND refuses the file';
  return undefined;
}

function isRemoval(type: string, rdata: Uint8Array): boolean {
  return rdata.at(type === 'CDS' ? 2 : 3) === 0;
}

/** RFC 1035 4.2.2: a message has at most 65,535 octets. */
const MOST_RRSET = 65_535;

/** The octets of the data of each RRset of a name, with its first record. */
function sizesOf(
  node: readonly ZoneRecord[],
): readonly { readonly record: ZoneRecord; readonly octets: number }[] {
  const sizes = new Map<string, { readonly record: ZoneRecord; readonly octets: number }>();
  for (const record of node) {
    const before = sizes.get(record.type);
    const octets = (before?.octets ?? 0) + record.rdata.length;
    sizes.set(record.type, { record: before?.record ?? record, octets });
  }
  return [...sizes.values()];
}

/** Texts that a semicolon ends, which begins a comment outside quotes (RFC 1035 5.1). */
function cutTexts(node: readonly ZoneRecord[]): readonly Shown[] {
  return node.filter((record) => record.isCut && record.type === 'TXT').map((record) => ({ record }));
}

/** RFC 2181 10.1; NSEC may stand beside it (RFC 4034 4). */
function besideCname(node: readonly ZoneRecord[]): readonly Shown[] {
  const [cname, second] = ofType(node, 'CNAME');
  if (cname === undefined) return [];
  const others = node.filter(({ type }) => !['CNAME', 'NSEC', 'KEY'].includes(type));
  return [...(second === undefined ? [] : [second]), ...others]
    .slice(0, 1)
    .map(({ type }) => ({ record: cname, detail: type }));
}

/** RFC 6672 2.3, 2.4; a CNAME beside it is told as one beside other data. */
function besideDname(node: readonly ZoneRecord[], apex: Name): readonly Shown[] {
  const [dname, second] = ofType(node, 'DNAME');
  if (dname === undefined) return [];
  const other = second ?? (dname.name === apex ? undefined : ofType(node, 'NS')[0]);
  return other === undefined ? [] : [{ record: dname, detail: other.type }];
}

/** RFC 2181 5.2. */
function otherTtl(node: readonly ZoneRecord[]): readonly Shown[] {
  const first = new Map<string, ZoneRecord>();
  return node.flatMap((record) => {
    const before = first.get(record.type);
    if (before === undefined) first.set(record.type, record);
    return before === undefined || before.ttl === record.ttl
      ? []
      : [{ record, detail: `${record.ttl} and ${before.ttl} s` }];
  });
}

/** The name server names of the zone and of its cuts that lie where only this file can give an address. */
function serversWithoutAddress(zone: Zone, hides: Hider): readonly Shown[] {
  return [...zone.nodes].flatMap(([owner, node]) => {
    const servers = ofType(node, 'NS');
    if (servers.length === 0 || hides(owner) !== undefined) return [];
    return servers.flatMap((record) => {
      const { target } = record;
      const isLeft = target !== undefined && isAtOrBelow(target, owner);
      if (!isLeft || found(zone, target) !== 'nothing' || hasAddress(zone, target)) return [];
      return [{ record, detail: target }];
    });
  });
}

function hasAddress(zone: Zone, name: Name): boolean {
  return rrset(zone, name, 'A').length > 0 || rrset(zone, name, 'AAAA').length > 0;
}

/** What the zone has for the address of a name: nothing also below a zone cut without glue. */
function found(zone: Zone, name: Name): 'address' | 'alias' | 'nothing' {
  const [answer, other] = (['A', 'AAAA'] as const).map((type) => answerFrom([zone], { name, type }).answer);
  if (answer === undefined || other === undefined) return 'nothing';
  if (answer.some(({ type }) => type === 'CNAME')) return 'alias';
  return answer.length + other.length > 0 ? 'address' : 'nothing';
}

/** The NS, MX and SRV records whose target is an IPv4 address, or in this zone, not below a cut, and an alias or without address. */
function targetsWithout(zone: Zone, hides: Hider): Readonly<Record<'alias' | 'nothing', readonly Shown[]>> {
  const shown: Record<'alias' | 'nothing', Shown[]> = { alias: [], nothing: [] };
  for (const [owner, node] of zone.nodes) {
    for (const record of node) {
      if (!POINTING.has(record.type)) continue;
      if (hides(owner) !== undefined) break;
      const target = record.target ?? targetIn(record);
      if (isAddress(target)) {
        shown.nothing.push({ record, detail: target });
        continue;
      }
      if (!isAtOrBelow(target, zone.apex) || isDelegated(zone, hides, target)) continue;
      const has = hasAddress(zone, target) && hides(target) === undefined ? 'address' : found(zone, target);
      if (has !== 'address') shown[has].push({ record, detail: target });
    }
  }
  return shown;
}

/** Whether a name is an IPv4 address: no top-level domain is a number (RFC 3696 2). */
function isAddress(name = ''): boolean {
  return /^(?:\d{1,3}\.){4}$/.test(name);
}

const POINTING: ReadonlySet<string> = new Set(['NS', 'MX', 'SRV']);

/** The last word of MX and SRV data. */
function targetIn({ type, rdata }: ZoneRecord): Name {
  const words = rdataText(type, 'IN', Reader.of(rdata).data(rdata.length)).split(' ');
  return (words.at(-1) ?? '.') as Name;
}

function isDelegated(zone: Zone, hides: Hider, name: Name): boolean {
  return isCut(zone, name) || hides(name)?.type === 'NS';
}

/** Data that no reply shows: below a DNAME, and below a cut or at it, glue and what the parent's side has aside. */
function occluded(zone: Zone, hides: Hider): readonly Shown[] {
  return [...zone.nodes].flatMap(([name, node]) => {
    const isOfCut = name !== zone.apex && node.some(({ type }) => type === 'NS');
    const hidden = isOfCut
      ? node.filter(({ type }) => !AT_A_CUT.includes(type))
      : hiddenBelow(node, hides(name));
    return hidden.slice(0, 1).map((record) => ({ record, detail: hides(name)?.name ?? name }));
  });
}

const AT_A_CUT: readonly string[] = ['NS', 'DS', 'NSEC', 'A', 'AAAA'];

function hiddenBelow(node: readonly ZoneRecord[], by: ZoneRecord | undefined): readonly ZoneRecord[] {
  if (by === undefined) return [];
  return by.type === 'NS' ? node.filter(({ type }) => type !== 'A' && type !== 'AAAA') : node;
}

/** Seconds. */
const DAY = 86_400;

/** RFC 1912 2.2, RFC 2308 5. */
function soaValues({ soa }: Zone): readonly Shown[] {
  const view = new DataView(soa.rdata.buffer, soa.rdata.byteOffset, soa.rdata.length);
  const at = (fromEnd: number) => view.getUint32(soa.rdata.length - fromEnd);
  const [refresh, retry, expire, minimum] = [at(16), at(12), at(8), at(4)];
  const faults = [
    ...(retry >= refresh ? [`RETRY (${retry}) is not less than REFRESH (${refresh})`] : []),
    ...(expire < refresh + retry ? [`EXPIRE (${expire}) is less than REFRESH and RETRY together`] : []),
    ...(expire < 7 * DAY ? [`EXPIRE (${expire}) is less than a week`] : []),
    ...(minimum > DAY ? [`MINIMUM (${minimum}) keeps denials for more than a day`] : []),
  ];
  return faults.length > 0 ? [{ record: soa, detail: faults.join(', ') }] : [];
}

/** Days before the end of a signature at which it should have been made anew. */
const SOON_DAYS = 3;

/** The signature that ends first stands for all of its kind: of those that ended, and of those that end soon. */
function expiring(signatures: readonly ZoneRecord[], now: number): readonly Shown[] {
  const soon = now / 1000 + SOON_DAYS * DAY;
  const ending = signatures
    .flatMap((record) => (record.rdata.length < 12 ? [] : [{ record, ends: endOf(record) }]))
    .filter(({ ends }) => ends < soon)
    .sort((one, other) => one.ends - other.ends);
  const over = ending.filter(({ ends }) => ends * 1000 < now);
  return [over, ending.slice(over.length)].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const detail = new Date(first.ends * 1000).toISOString();
    return [{ record: first.record, detail, more: others.length }];
  });
}

/** In seconds since 1970. */
function endOf({ rdata }: ZoneRecord): number {
  return new DataView(rdata.buffer, rdata.byteOffset).getUint32(8);
}

/** The glue of a delegation: addresses by the name of the server. */
type Glue = ReadonlyMap<Name, readonly string[]>;

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
