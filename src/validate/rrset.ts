import { getOrMake } from '../get-or-make.ts';
import type { Name } from '../wire/name.ts';
import type { ResourceRecord } from '../wire/record.ts';
import { areObjects, type Records } from '../wire/records.ts';
import { compareOctets } from './octets-order.ts';
import { rdataOctets } from './rdata-octets.ts';

/** The records of one section with an owner and a type, of class IN, and the RRSIG records beside them that cover the type. */
export interface Rrset {
  readonly owner: Name;
  readonly type: string;
  readonly records: readonly ResourceRecord[];
  readonly signatures: readonly ResourceRecord[];
}

/** The RRsets of a section, in the order of their first records. */
interface Rrsets {
  readonly find: (owner: Name, type: string) => Rrset | undefined;
  /** All at an owner, those of type RRSIG not among them. */
  readonly at: (owner: Name) => readonly Rrset[];
  readonly ofType: (type: string) => readonly Rrset[];
}

const known = new WeakMap<Records, Rrsets>();

/** Sections that are read again each time, because as objects they would take far more memory: the last few of them. */
const latest = new Map<Records, Rrsets>();
const MOST_LATEST = 4;

/** Sorts a section into RRsets, once if it is not a large one. */
export function rrsetsIn(section: Records): Rrsets {
  if (areObjects(section)) return getOrMake(known, section, () => sectionSorted(section));
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
function coveredBy({ data }: ResourceRecord): string {
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
