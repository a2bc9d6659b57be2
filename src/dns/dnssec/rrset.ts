import { getOrMake } from '../../base/memo.ts';
import { typeName } from '../codes.ts';
import type { Name } from '../name.ts';
import { Reader } from '../reader.ts';
import { areObjects, fitsType, type Records, type ResourceRecord } from '../record.ts';
import { compareOctets, rdataOctets } from './canonical.ts';

/** The records of one section with an owner and a type, of class IN, and the RRSIG records beside them that cover the type. */
export interface Rrset {
  readonly owner: Name;
  readonly type: string;
  readonly records: readonly ResourceRecord[];
  readonly signatures: readonly ResourceRecord[];
}

/** The RRsets of a section, in the order of their first records. */
interface Rrsets {
  readonly all: readonly Rrset[];
  readonly find: (owner: Name, type: string) => Rrset | undefined;
  /** All at an owner, those of type RRSIG not among them. */
  readonly at: (owner: Name) => readonly Rrset[];
  readonly ofType: (type: string) => readonly Rrset[];
}

const knownRrsets = new WeakMap<Records, Rrsets>();

/** Sections that are read again each time, because as objects they would take far more memory: the last few of them. */
const latest = new Map<Records, Rrsets>();
const MOST_LATEST = 4;

/** Sorts a section into RRsets, once if it is not a large one. */
export function rrsetsIn(section: Records): Rrsets {
  if (areObjects(section)) return getOrMake(knownRrsets, section, () => sectionSorted(section));
  const rrsets = getOrMake(latest, section, () => sectionSorted(section));
  const [oldest] = latest.keys();
  if (latest.size > MOST_LATEST && oldest !== undefined) latest.delete(oldest);
  return rrsets;
}

function sectionSorted(section: Records): Rrsets {
  const byOwner = new Map<Name, Map<string, MutableRrset>>();
  const all: MutableRrset[] = [];
  const rrset = (owner: Name, type: string) =>
    getOrMake(
      getOrMake(byOwner, owner, () => new Map<string, MutableRrset>()),
      type,
      () => {
        const made = { owner, type, records: [], signatures: [] };
        all.push(made);
        return made;
      },
    );
  for (const record of section) {
    if (record.class !== undefined) continue;
    const { name, type } = record;
    if (type === 'RRSIG') rrset(name, coveredBy(record)).signatures.push(record);
    else rrset(name, type).records.push(record);
  }
  const filled = all.filter(({ records }) => records.length > 0);
  return {
    all: filled,
    find: (owner, type) => filledOne(byOwner.get(owner)?.get(type)),
    at: (owner) => [...(byOwner.get(owner)?.values() ?? [])].filter(({ records }) => records.length > 0),
    ofType: (type) => filled.filter((one) => one.type === type),
  };
}

interface MutableRrset extends Rrset {
  readonly records: ResourceRecord[];
  readonly signatures: ResourceRecord[];
}

function filledOne(rrset: Rrset | undefined): Rrset | undefined {
  return rrset === undefined || rrset.records.length === 0 ? undefined : rrset;
}

/** RFC 4034 3.1.1: the first field. Data that do not fit cover no type. */
function coveredBy(record: ResourceRecord): string {
  const { octets } = record;
  if (octets !== undefined) return typeName(Reader.of(octets).u16());
  const { data } = record;
  const end = data.indexOf(' ');
  return data.slice(0, end);
}

const canonical = new WeakMap<Rrset, readonly Uint8Array[]>();

/**
 * The data of an RRset as its signers sort them: in octets, in canonical order, each once (RFC 4034 6.3). None at all if
 * some are unreadable: nobody signed the rest alone.
 */
export function canonicalRdata(rrset: Rrset): readonly Uint8Array[] {
  return getOrMake(canonical, rrset, () => {
    const octets = rrset.records.map(rdataOctets).filter((one) => one !== undefined);
    return octets.length === rrset.records.length ? distinct(octets) : [];
  });
}

function distinct(data: readonly Uint8Array[]): readonly Uint8Array[] {
  const sorted = [...data].sort(compareOctets);
  return sorted.filter((octets, at) => {
    const before = sorted[at - 1];
    return before === undefined || compareOctets(before, octets) !== 0;
  });
}

/** An RRSIG record's data (RFC 4034 3.1), but for the type covered. */
export interface Signature {
  readonly algorithm: number;
  /** How many labels the owner has that was signed, a wildcard's asterisk not counted. */
  readonly labels: number;
  readonly originalTtl: number;
  /** Seconds since 1970, modulo 2³². */
  readonly expiration: number;
  readonly inception: number;
  readonly keyTag: number;
  readonly signer: Name;
  /** The data up to the signature itself, which are signed too (RFC 4034 3.1.8.1). */
  readonly signedPart: Uint8Array;
  readonly signature: Uint8Array;
}

/** So many signatures of an RRset are tried: a bound on what hostile zones can cost (CVE-2023-50387). */
const MOST_SIGNATURES = 8;

const knownSignatures = new WeakMap<Rrset, readonly Signature[]>();

/** The signatures of an RRset that are tried: the first eight in canonical order (RFC 4034 6.3). */
export function signaturesOf(rrset: Rrset): readonly Signature[] {
  return getOrMake(knownSignatures, rrset, () => {
    const octets = rrset.signatures.filter(fitsType).map(rdataOctets);
    const readable = octets.filter((one) => one !== undefined).sort(compareOctets);
    return readable.slice(0, MOST_SIGNATURES).map(signatureIn);
  });
}

/** The zones that signed something in a section, whether or not their signatures are tried. */
export function signersOf(section: Records): ReadonlySet<Name> {
  const signers = new Set<Name>();
  for (const record of section) {
    const octets = record.type === 'RRSIG' && fitsType(record) ? rdataOctets(record) : undefined;
    if (octets !== undefined) signers.add(signatureIn(octets).signer);
  }
  return signers;
}

/** Octets before the signer's name. */
const FIXED = 18;

function signatureIn(octets: Uint8Array): Signature {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  const rest = Reader.of(octets).at(FIXED);
  const signer = rest.uncompressedName();
  return {
    algorithm: view.getUint8(2),
    labels: view.getUint8(3),
    originalTtl: view.getUint32(4),
    expiration: view.getUint32(8),
    inception: view.getUint32(12),
    keyTag: view.getUint16(16),
    signer,
    signedPart: octets.subarray(0, rest.offset),
    signature: octets.subarray(rest.offset),
  };
}
