import { type HashName, nameHasher } from '../../validate/denial/hashed-names.ts';
import { NODE_CRYPTO } from '../../validate/node-crypto.ts';
import { type Name, parentOf, parseName, ROOT } from '../../wire/name.ts';
import { encodeRdata } from '../../wire/rdata/rdata.ts';
import type { Zone } from '../zone.ts';
import type { ZoneRecord } from '../zone-file.ts';
import { authoritativeNames, type SignedName } from './authoritative.ts';
import type { Assertion, Prove } from './denial.ts';
import { closestEncloser, wildcardBelow } from './encloser.ts';
import type { DenialSpec } from './zone-signing.ts';

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
