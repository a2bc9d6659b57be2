import { addressBytes, familyOf } from '../dns/address.ts';
import type { Name } from '../dns/name.ts';
import { comparableData, isOlderSerial, type ResourceRecord, type Soa } from '../dns/record.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { Meaning } from './meaning.ts';

/**
 * Tells answers that vary by themselves from those of servers with different data: svc-model(7), ANSWERS THAT VARY. A
 * pure function of all that the servers of a zone gave for one question.
 */
export function rotationOf(servers: readonly DataServer[]): Rotation {
  const severalVersions = servers.filter((server) => holdsSeveralVersions(server, servers));
  const sound = servers.filter((server) => !severalVersions.includes(server));
  const varying = sound.filter(varies);
  const current = withoutOldPools(varying);
  const pool = poolOf(current);
  const rotating = sound.filter((server) => current.includes(server) || isWithin(server, pool, current));
  const outside = sound.filter((server) => !rotating.includes(server));
  return {
    members: new Set(rotating.map(({ address }) => address)),
    ...pool,
    severalVersions,
    oneVersion: varying.length > 0 ? sharingSerial(outside, rotating) : allIfOneSerial(servers),
    outside,
  };
}

/** Everything that the server at an address gave for one question. */
export interface DataServer {
  readonly address: string;
  /** In the order heard. */
  readonly replies: readonly [DataReply, ...DataReply[]];
  /** In the order heard. */
  readonly versions: readonly ZoneVersion[];
}

/** A version of a zone, and the reply that showed it. */
interface ZoneVersion {
  readonly soa: Soa;
  readonly exchanged: Exchanged;
}

/** The data of one reply: an alias's target, or records, one by one; none if it denies that there are any. */
export interface DataReply {
  readonly exchanged: Exchanged;
  readonly kind: 'data' | 'nodata' | 'nxdomain';
  /** By the text that is equal for equal data. */
  readonly data: ReadonlyMap<string, Datum>;
}

/** One of the data in a reply. */
type Datum =
  | { readonly kind: 'record'; readonly record: ResourceRecord }
  | { readonly kind: 'alias'; readonly target: Name };

/** Which servers of a zone rotate their answers to a question. */
export interface Rotation extends Pool {
  /** The addresses whose answers are one answer; none if nothing rotates. */
  readonly members: ReadonlySet<string>;
  /** Each has machines with different versions of the zone behind its address. */
  readonly severalVersions: readonly DataServer[];
  /** The servers that neither rotate nor hold several versions. */
  readonly outside: readonly DataServer[];
  /** Their addresses, where they serve the version that others serve, too, and give different data all the same. */
  readonly oneVersion: ReadonlySet<string>;
}

/** The data that rotate. */
interface Pool {
  /** Each distinct record once, sorted by its data. */
  readonly records: readonly ResourceRecord[];
  /** The targets of aliases, sorted. */
  readonly targets: readonly Name[];
}

/** The data of a reply with this meaning; undefined if it neither gives nor denies any. */
export function dataReply(exchanged: Exchanged, meaning: Meaning): DataReply | undefined {
  if (meaning.kind === 'nodata' || meaning.kind === 'nxdomain')
    return { exchanged, kind: meaning.kind, data: new Map() };
  if (meaning.kind === 'alias') {
    const { target } = meaning;
    return { exchanged, kind: 'data', data: new Map([[`alias ${target}`, { kind: 'alias', target }]]) };
  }
  if (meaning.kind !== 'answer') return undefined;
  const records = [...meaning.records].map((record) => [keyOf(record), { kind: 'record', record }] as const);
  return { exchanged, kind: 'data', data: new Map(records) };
}

/** Whether a server denied that there are data, at least once. */
export function denies({ replies }: DataServer): boolean {
  return replies.some(({ kind }) => kind !== 'data');
}

function keyOf(record: ResourceRecord): string {
  return `${record.type} ${comparableData(record)}`;
}

/** Sorts addresses: IPv4 first, then by their octets. */
export function byAddress(a: string, b: string): number {
  return familyOf(a) - familyOf(b) || (octets(a) < octets(b) ? -1 : 1);
}

function octets(address: string): string {
  return String.fromCharCode(...addressBytes(address));
}

/** Whether the replies of a server do not all have the same data. */
export function varies({ replies }: DataServer): boolean {
  return areDifferent(replies);
}

/** Whether the data of some replies differ. */
export function areDifferent([first, ...others]: readonly DataReply[]): boolean {
  return others.some(({ data }) => first !== undefined && !isEqual(first.data, data));
}

function isEqual(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((key) => b.has(key));
}

/** A later reply shows an older version: there are machines with different versions behind the address. */
export function goesBack({ versions }: DataServer): boolean {
  const serials = versions.map(({ soa }) => soa.serial);
  return serials.some((serial, i) => isOlderSerial(serial, serials[i - 1] ?? serial));
}

/** One that gives data at one time and denies them at another does so whether others vary or not. */
function holdsSeveralVersions(server: DataServer, servers: readonly DataServer[]): boolean {
  if (!varies(server)) return false;
  return denies(server) || (goesBack(server) && servers.some((other) => !varies(other)));
}

/** Whether all versions that a server showed are older than all that another one showed. */
function isOlder(server: DataServer, than: DataServer): boolean {
  if (server.versions.length === 0 || than.versions.length === 0) return false;
  return server.versions.every(({ soa }) =>
    than.versions.every((other) => isOlderSerial(soa.serial, other.soa.serial)),
  );
}

/** Without servers that are left behind and rotate over another pool, as nothing that they give shows. */
function withoutOldPools(varying: readonly DataServer[]): readonly DataServer[] {
  const left = sharingData(varying).filter((alike) => {
    const others = varying.filter((server) => !alike.includes(server));
    return !alike.every((server) => others.some((other) => isOlder(server, other)));
  });
  return varying.filter((server) => left.some((alike) => alike.includes(server)));
}

/** Puts servers together that share data, one with the next. */
function sharingData(servers: readonly DataServer[]): readonly (readonly DataServer[])[] {
  let groups: readonly (readonly DataServer[])[] = [];
  for (const server of servers) {
    const own = dataOf([server]);
    const isNear = (group: readonly DataServer[]) => [...dataOf(group).keys()].some((key) => own.has(key));
    groups = [...groups.filter((group) => !isNear(group)), [...groups.filter(isNear).flat(), server]];
  }
  return groups;
}

function dataOf(servers: readonly DataServer[]): ReadonlyMap<string, Datum> {
  return new Map(servers.flatMap(({ replies }) => replies.flatMap(({ data }) => [...data])));
}

function poolOf(servers: readonly DataServer[]): Pool {
  const sorted = [...dataOf(servers)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    records: sorted.flatMap(([, datum]) => (datum.kind === 'record' ? [datum.record] : [])),
    targets: sorted.flatMap(([, datum]) => (datum.kind === 'alias' ? [datum.target] : [])),
  };
}

/** Whether a server that gives the same each time gives data that rotate elsewhere: a cache may be in front of it. */
function isWithin(server: DataServer, { records, targets }: Pool, current: readonly DataServer[]): boolean {
  if (varies(server) || denies(server) || current.some((other) => isOlder(server, other))) return false;
  const known = new Set([...records.map(keyOf), ...targets.map((target) => `alias ${target}`)]);
  return [...dataOf([server]).keys()].every((key) => known.has(key));
}

function sharingSerial(outside: readonly DataServer[], rotating: readonly DataServer[]): ReadonlySet<string> {
  const current = serialsOf(rotating);
  const sharing = outside.filter(
    (server) => !denies(server) && server.versions.some(({ soa }) => current.has(soa.serial)),
  );
  return new Set(sharing.map(({ address }) => address));
}

function allIfOneSerial(servers: readonly DataServer[]): ReadonlySet<string> {
  const isTold = servers.every((server) => server.versions.length > 0 && !denies(server));
  const isOne = isTold && serialsOf(servers).size === 1;
  const isAlike = !areDifferent(servers.flatMap(({ replies }) => replies));
  return new Set(isOne && !isAlike ? servers.map(({ address }) => address) : []);
}

/** All serials that some of the servers showed. */
export function serialsOf(servers: readonly DataServer[]): ReadonlySet<number> {
  return new Set(servers.flatMap(({ versions }) => versions.map(({ soa }) => soa.serial)));
}
