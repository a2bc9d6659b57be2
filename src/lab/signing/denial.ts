/* Makes the NSEC and NSEC3 records of a zone. */

import { ownerOf } from '../../authority/proofs.ts';
import { isCut, rrset, typesOf, type Zone } from '../../authority/zone.ts';
import type { ZoneRecord } from '../../authority/zone-file.ts';
import { compareNames } from '../../dns/dnssec/canonical.ts';
import { NODE_CRYPTO } from '../../dns/dnssec/node-crypto.ts';
import { type HashName, nameHasher } from '../../dns/dnssec/nsec3.ts';
import { type Name, parentOf, ROOT } from '../../dns/name.ts';
import { encodeRdata } from '../../dns/rdata/rdata.ts';
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

function describe(zone: Zone, name: Name): SignedName {
  const types = typesOf(zone.nodes.get(name) ?? []);
  // At a cut the parent's side has authority for DS only (RFC 4035 2.2, RFC 6840 4.1).
  if (isCut(zone, name))
    return { name, kind: 'cut', types: types.filter((type) => type === 'NS' || type === 'DS') };
  return { name, kind: types.length > 0 ? 'data' : 'empty', types };
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

/** Makes the hash that a zone goes by. */
export function hasher({ iterations = 0, salt = NO_SALT }: HashedDenial): HashName {
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
    const data = `1 ${flags} ${iterationsAndSalt(denial)} ${next} ${hashedTypes(name).join(' ')}`;
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
function hashedTypes({ kind, types }: SignedName): readonly string[] {
  const isSigned = kind === 'data' || types.includes('DS');
  return isSigned ? [...types, 'RRSIG'] : types;
}
