/* Makes the NSEC and NSEC3 records of a zone, and picks those that prove a denial. */

import { compareNames } from '../../dns/dnssec/canonical.ts';
import { NODE_CRYPTO } from '../../dns/dnssec/node-crypto.ts';
import { type HashName, nameHasher } from '../../dns/dnssec/nsec3.ts';
import { type Name, parentOf, parseName, ROOT } from '../../dns/name.ts';
import { encodeRdata } from '../../dns/rdata/rdata.ts';
import { rrset, type Zone } from '../zone.ts';
import type { ZoneRecord } from '../zone-file.ts';
import type { Assertion, Prove } from './signer.ts';
import type { DenialSpec } from './zone-signing.ts';

/** The NSEC records of a zone (RFC 4034 4), in canonical order. */
export function nsecRecords(zone: Zone, ttl: number): ZoneRecord[] {
  const names = authoritativeNames(zone)
    .filter(({ kind }) => kind !== 'empty')
    .sort((a, b) => compareNames(a.name, b.name));
  return names.map(({ name, types }, index) => {
    const next = names[index + 1]?.name ?? zone.apex;
    const data = [next, ...types, 'RRSIG', 'NSEC'].join(' ');
    return { name, type: 'NSEC', ttl, rdata: encodeRdata('NSEC', data, ROOT) };
  });
}

/** A name of a zone that signing is about, and the types that it has there. */
interface SignedName {
  readonly name: Name;
  readonly kind: 'data' | 'cut' | 'empty';
  readonly types: readonly string[];
}

/** The names of a zone and of its cuts, without what is below a cut or a DNAME (RFC 4035 2.3, RFC 6672 2.4). */
function authoritativeNames(zone: Zone): SignedName[] {
  return [...zone.nodes.keys()].filter((name) => !isOccluded(zone, name)).map((name) => describe(zone, name));
}

function isOccluded(zone: Zone, name: Name): boolean {
  if (name === zone.apex) return false;
  const above = parentOf(name);
  if (above === undefined) return false;
  return isCut(zone, above) || rrset(zone, above, 'DNAME').length > 0 || isOccluded(zone, above);
}

function isCut(zone: Zone, name: Name): boolean {
  return name !== zone.apex && rrset(zone, name, 'NS').length > 0;
}

function describe(zone: Zone, name: Name): SignedName {
  const types = [...(zone.nodes.get(name)?.keys() ?? [])];
  // At a cut the parent's side has authority for DS only (RFC 4035 2.2, RFC 6840 4.1).
  if (isCut(zone, name))
    return { name, kind: 'cut', types: types.filter((type) => type === 'NS' || type === 'DS') };
  return { name, kind: types.length > 0 ? 'data' : 'empty', types };
}

/** Proofs by NSEC (RFC 4035 3.1.3). */
export function proofsByNsec({ nodes }: Zone, records: readonly ZoneRecord[]): Prove {
  return ({ kind, name }) => {
    const at = matchingOrCovering(records, name);
    if (kind === 'expanded' || nodes.has(name)) return at;
    const encloser = closestEncloser(name, (above) => nodes.has(above));
    return [...at, ...matchingOrCovering(records, wildcardBelow(encloser.name))];
  };
}

/** The last record whose owner is not after the name. */
function matchingOrCovering(records: readonly ZoneRecord[], name: Name): ZoneRecord[] {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const record = records[middle];
    if (record !== undefined && compareNames(record.name, name) <= 0) low = middle + 1;
    else high = middle;
  }
  return records.slice(low - 1, low);
}

/** How a zone hashes its names. */
type HashedDenial = Extract<DenialSpec, { kind: 'nsec3' }>;

/** The data of the zone's NSEC3PARAM record (RFC 5155 4). */
export function parameters(denial: HashedDenial): Uint8Array {
  return encodeRdata('NSEC3PARAM', `1 0 ${iterationsAndSalt(denial)}`, ROOT);
}

function iterationsAndSalt({ iterations = 0, salt = NO_SALT }: HashedDenial): string {
  return `${iterations} ${salt}`;
}

/** As zone files write it. */
const NO_SALT = '-';

function hasher({ iterations = 0, salt = NO_SALT }: HashedDenial): HashName {
  return nameHasher({ iterations, salt }, NODE_CRYPTO.digest);
}

/** The NSEC3 records of a zone (RFC 5155 7.1), in the order of their hashes. */
export function nsec3Records(zone: Zone, denial: HashedDenial, ttl: number): ZoneRecord[] {
  const hashOf = hasher(denial);
  const hashed = namesToHash(zone, denial)
    .map((name) => ({ ...name, hash: hashOf(name.name) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return hashed.map((name, index) => {
    const next = (hashed[index + 1] ?? hashed[0] ?? name).hash;
    const flags = denial.optOut === true ? 1 : 0;
    const data = `1 ${flags} ${iterationsAndSalt(denial)} ${next} ${typesOf(name).join(' ')}`;
    return {
      name: ownerOf(name.hash, zone.apex),
      type: 'NSEC3',
      ttl,
      rdata: encodeRdata('NSEC3', data.trimEnd(), ROOT),
    };
  });
}

/** Opt-out leaves delegations without DS out, and names that exist only because of them (RFC 5155 7.1). */
function namesToHash(zone: Zone, { optOut = false }: HashedDenial): SignedName[] {
  const all = authoritativeNames(zone);
  const isLeftOut = ({ kind, types }: SignedName) => optOut && kind === 'cut' && !types.includes('DS');
  const kept = all.filter((one) => one.kind !== 'empty' && !isLeftOut(one));
  const needed = new Set(kept.flatMap(({ name }) => namesAbove(name)));
  return [...kept, ...all.filter(({ kind, name }) => kind === 'empty' && needed.has(name))];
}

function namesAbove(name: Name): Name[] {
  const above = parentOf(name);
  return above === undefined ? [] : [above, ...namesAbove(above)];
}

/** RFC 5155 7.1: RRSIG where something is signed, which the NS records of a cut are not. */
function typesOf({ kind, types }: SignedName): readonly string[] {
  const isSigned = kind === 'data' || types.includes('DS');
  return isSigned ? [...types, 'RRSIG'] : types;
}

/** Proofs by NSEC3 (RFC 5155 7.2). */
export function proofsByNsec3(zone: Zone, denial: HashedDenial, records: readonly ZoneRecord[]): Prove {
  const byOwner = new Map(records.map((record) => [record.name, record]));
  // Hashes are kept for one proof only, because anything can be asked.
  return (assertion) => prove(assertion, zone, { records, byOwner, hashOf: hasher(denial) });
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
    return [records.findLast((record) => record.name < owner) ?? records.at(-1)].filter(isPresent);
  };
  const found = matching(name);
  if (found.length > 0) return found;
  const encloser = closestEncloser(name, (above) => matching(above).length > 0);
  if (kind === 'expanded') return covering(encloser.nextCloser);
  const proof = [...matching(encloser.name), ...covering(encloser.nextCloser)];
  // Left out by opt-out.
  if (nodes.has(name)) return proof;
  const wildcard = wildcardBelow(encloser.name);
  return [...proof, ...(kind === 'no-data' ? matching(wildcard) : covering(wildcard))];
}

function isPresent(record: ZoneRecord | undefined): record is ZoneRecord {
  return record !== undefined;
}

function ownerOf(hash: string, apex: Name): Name {
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
