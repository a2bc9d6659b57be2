/* Adds keys, DS records and NSEC or NSEC3 chains to a zone, and makes these chains. */

import { ownerOf, proofsByNsec, proofsByNsec3 } from '../../authority/proofs.ts';
import { isCut, minimumOf, rrset, typesOf, type Zone } from '../../authority/zone.ts';
import type { ZoneRecord } from '../../authority/zone-file.ts';
import { compareNames } from '../../dns/dnssec/canonical.ts';
import { NODE_CRYPTO } from '../../dns/dnssec/node-crypto.ts';
import { type HashName, nameHasher } from '../../dns/dnssec/nsec3.ts';
import { type Name, parentOf, ROOT } from '../../dns/name.ts';
import { encodeRdata } from '../../dns/rdata/rdata.ts';
import { type LabZone, secureZone } from './lab-security.ts';
import { Signer } from './signer.ts';
import { signingKey } from './signing-key.ts';
import { type DenialSpec, publishedKeys, type ZoneSigning } from './zone-signing.ts';

/** Adds the records that signing adds, signatures aside. A cut that has DS records in the zone file keeps those. */
export function signZone(zone: Zone, signing: ZoneSigning, dsAt: DsAt): LabZone {
  const { apex } = zone;
  const { denial = { kind: 'nsec' } } = signing;
  const keys = publishedKeys(signing).map((spec) => signingKey(apex, spec, signing));
  const keyRecords = recordsAt(
    apex,
    'DNSKEY',
    keys.map(({ dnskey }) => dnskey),
    zone.soa.ttl,
  );
  const hashing = denial.kind === 'nsec3' ? recordsAt(apex, 'NSEC3PARAM', [parameters(denial)], 0) : [];
  const nodes = withRecords(zone, [...keyRecords, ...hashing, ...delegationSigners(zone, dsAt)]);
  return withDenial({ ...zone, nodes }, denial, new Signer(apex, keys, signing));
}

/** The data of the DS records that a zone cut has; none: the zone below is not signed. */
type DsAt = (cut: Name) => readonly Uint8Array[];

function recordsAt(name: Name, type: string, data: readonly Uint8Array[], ttl: number): ZoneRecord[] {
  return data.map((rdata) => ({ name, type, ttl, rdata }));
}

function delegationSigners(zone: Zone, dsAt: DsAt): ZoneRecord[] {
  const cuts = [...zone.nodes.keys()].filter((name) => isCut(zone, name));
  const bare = cuts.filter((cut) => rrset(zone, cut, 'DS').length === 0);
  return bare.flatMap((cut) => recordsAt(cut, 'DS', dsAt(cut), zone.soa.ttl));
}

/** RFC 9077 3: the TTL of denials is the least of the SOA record's and its last field. */
function withDenial(zone: Zone, denial: DenialSpec, signer: Signer): LabZone {
  const ttl = Math.min(zone.soa.ttl, minimumOf(zone));
  switch (denial.kind) {
    case 'nsec': {
      const records = nsecRecords(zone, ttl);
      const withNsec = { ...zone, nodes: withRecords(zone, records) };
      return secureZone(withNsec, signer, proofsByNsec(zone, records));
    }
    case 'nsec3': {
      const records = nsec3Records(zone, denial, ttl);
      return secureZone(
        zone,
        signer,
        proofsByNsec3(zone, () => hasher(denial), records),
      );
    }
  }
}

function withRecords(zone: Zone, records: readonly ZoneRecord[]): Zone['nodes'] {
  const nodes = new Map(zone.nodes);
  for (const record of records) nodes.set(record.name, [...(nodes.get(record.name) ?? []), record]);
  return nodes;
}

/** The NSEC records of a zone (RFC 4034 4), in canonical order. */
function nsecRecords(zone: Zone, ttl: number): ZoneRecord[] {
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
function parameters(denial: HashedDenial): Uint8Array {
  return encodeRdata('NSEC3PARAM', `1 0 ${iterationsAndSalt(denial)}`, ROOT);
}

function iterationsAndSalt({ iterations = 0, salt = NO_SALT }: HashedDenial): string {
  return `${iterations} ${salt}`;
}

/** As zone files write it. */
const NO_SALT = '-';

/** Makes the hash that a zone goes by. */
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
