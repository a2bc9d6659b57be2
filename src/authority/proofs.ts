/* Picks the NSEC and NSEC3 records that prove what a reply says without records. */

import { compareNames } from '../dns/dnssec/canonical.ts';
import type { HashName } from '../dns/dnssec/nsec3.ts';
import { type Name, parentOf, parseName, ROOT } from '../dns/name.ts';
import { type Assertion, type Prove, rrset, type Zone } from './zone.ts';
import type { ZoneRecord } from './zone-file.ts';

/** RFC 4035 3.1.4: a cut's DS records, or the proof that it has none; the proof of any other assertion. */
export function proofWith(zone: Zone, deny: Prove): Prove {
  return (assertion) => {
    const ds = assertion.kind === 'cut' ? rrset(zone, assertion.name, 'DS') : [];
    return ds.length > 0 ? ds : deny(assertion);
  };
}

/** Proofs by NSEC (RFC 4035 3.1.3); the records are in canonical order. */
export function proofsByNsec({ nodes }: Zone, records: readonly ZoneRecord[]): Prove {
  return ({ kind, name }) => {
    const at = matchingOrCovering(records, name);
    if (kind === 'expanded' || nodes.has(name)) return at;
    const encloser = closestEncloser(name, (above) => nodes.has(above));
    const wildcard = wildcardBelow(encloser.name);
    // One that is there only because of names below it has no record: the span that the name is in shows both.
    if (nodes.get(wildcard)?.length === 0) return at;
    return [...at, ...matchingOrCovering(records, wildcard)];
  };
}

/** The last record whose owner is not after the name. */
function matchingOrCovering(records: readonly ZoneRecord[], name: Name): readonly ZoneRecord[] {
  const count = countWhere(records, (record) => compareNames(record.name, name) <= 0);
  return records.slice(Math.max(0, count - 1), count);
}

/** How many records at the beginning fulfil a condition that none of the others does. */
function countWhere(records: readonly ZoneRecord[], holds: (record: ZoneRecord) => boolean): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const record = records[middle];
    if (record !== undefined && holds(record)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Proofs by NSEC3 (RFC 5155 7.2); the records are in the order of their owners, `hasher` makes the hash that they go by. */
export function proofsByNsec3(zone: Zone, hasher: () => HashName, records: readonly ZoneRecord[]): Prove {
  const byOwner = new Map(records.map((record) => [record.name, record]));
  // Hashes are kept for one proof only, because anything can be asked.
  return (assertion) => prove(assertion, zone, { records, byOwner, hashOf: hasher() });
}

interface Chain {
  readonly records: readonly ZoneRecord[];
  readonly byOwner: ReadonlyMap<Name, ZoneRecord>;
  readonly hashOf: HashName;
}

function prove({ kind, name }: Assertion, { apex, nodes }: Zone, chain: Chain): readonly ZoneRecord[] {
  const { records, byOwner, hashOf } = chain;
  const matching = (one: Name) => [byOwner.get(ownerOf(hashOf(one), apex))].filter(isPresent);
  const covering = (one: Name) => {
    const owner = ownerOf(hashOf(one), apex);
    const before = countWhere(records, (record) => record.name < owner);
    // The last one covers what is before the first.
    return [records.at(before - 1)].filter(isPresent);
  };
  const found = matching(name);
  if (found.length > 0) return found;
  const encloser = closestEncloser(name, (above) => matching(above).length > 0);
  if (kind === 'expanded') return covering(encloser.nextCloser);
  const proof = [...matching(encloser.name), ...covering(encloser.nextCloser)];
  // Left out by opt-out.
  if (nodes.has(name)) return proof;
  const wildcard = wildcardBelow(encloser.name);
  const atWildcard = matching(wildcard);
  // It may exist if opt-out left out the name that hides it: like BIND, show it.
  return [...proof, ...(kind === 'no-data' || atWildcard.length > 0 ? atWildcard : covering(wildcard))];
}

function isPresent(record: ZoneRecord | undefined): record is ZoneRecord {
  return record !== undefined;
}

/** The owner of the NSEC3 record with a hash (RFC 5155 3). */
export function ownerOf(hash: string, apex: Name): Name {
  return parseName(apex === ROOT ? hash : `${hash}.${apex}`);
}

/** A name that exists, and the name one label longer on the way down to another one that may not exist. */
interface Encloser {
  readonly name: Name;
  /** RFC 5155 1.3: the next closer name. */
  readonly nextCloser: Name;
}

/** The nearest name above this one that exists. The root, if nothing else, has to. */
function closestEncloser(name: Name, exists: (name: Name) => boolean): Encloser {
  let nextCloser = name;
  let above = parentOf(name) ?? ROOT;
  while (!exists(above) && above !== ROOT) {
    nextCloser = above;
    above = parentOf(above) ?? ROOT;
  }
  return { name: above, nextCloser };
}

/** The wildcard right below a name (RFC 4592 2.1.1). */
function wildcardBelow(name: Name): Name {
  return parseName(name === ROOT ? '*.' : `*.${name}`);
}
