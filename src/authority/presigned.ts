/* Takes the signatures and denials of a signed zone from its own records. */

import { getOrMake } from '../base/memo.ts';
import { typeCode } from '../dns/codes.ts';
import { canonicalKey } from '../dns/dnssec/canonical.ts';
import { NODE_CRYPTO } from '../dns/dnssec/node-crypto.ts';
import { nameHasher } from '../dns/dnssec/nsec3.ts';
import type { Name } from '../dns/name.ts';
import { rdataText } from '../dns/rdata/rdata.ts';
import { Reader } from '../dns/reader.ts';
import { proofsByNsec, proofsByNsec3, proofWith } from './proofs.ts';
import { type Prove, type RRset, type Zone, type ZoneSecurity, type ZoneWithStrays, zoneOf } from './zone.ts';
import type { ZoneRecord } from './zone-file.ts';

/**
 * The zone that the records of a file make, where signatures and NSEC3 records are no data of their names: replies get them
 * beside the data (RFC 4035 3.1, RFC 5155 7.2.8). Throws ZoneFileError like `zoneOf`.
 */
export function presignedZoneOf(
  records: readonly ZoneRecord[],
  file?: string,
): ZoneWithStrays & ZoneSignatures {
  const signatures = records.filter(({ type }) => type === 'RRSIG');
  const nsec3s = records.filter(({ type }) => type === 'NSEC3');
  const ofZone = signatures.length + nsec3s.length;
  const data = ofZone === 0 ? records : records.filter(({ type }) => type !== 'RRSIG' && type !== 'NSEC3');
  const { zone, outside } = zoneOf(data, file);
  if (signatures.length === 0) return { zone, outside, signatures, nsec3s };
  const security = securityOf(zone, signatures, nsec3s);
  return { zone: { ...zone, security }, outside, signatures, nsec3s };
}

/** The records of a zone that only replies with DO have. */
interface ZoneSignatures {
  readonly signatures: readonly ZoneRecord[];
  readonly nsec3s: readonly ZoneRecord[];
}

function securityOf(
  zone: Zone,
  signatures: readonly ZoneRecord[],
  nsec3s: readonly ZoneRecord[],
): ZoneSecurity {
  const byOwner = new Map<Name, ZoneRecord[]>();
  for (const signature of signatures) getOrMake(byOwner, signature.name, () => []).push(signature);
  let deny: Prove | undefined;
  return {
    signed: (set, original) => [...set, ...signaturesFor(set, original, byOwner)],
    // Most replies deny nothing, and the order of a large zone takes a second.
    proof: proofWith(zone, (assertion) => {
      deny ??= denialsOf(zone, nsec3s);
      return deny(assertion);
    }),
  };
}

function signaturesFor(
  set: RRset,
  { name, type }: Pick<ZoneRecord, 'name' | 'type'>,
  byOwner: ReadonlyMap<Name, readonly ZoneRecord[]>,
): RRset {
  const code = typeCode(type);
  const place = { name: set[0]?.name ?? name, ttl: set[0]?.ttl ?? 0 };
  return (byOwner.get(name) ?? [])
    .filter(({ rdata: [high = 0, low = 0] }) => (high << 8) + low === code)
    .map((signature) => ({ ...signature, ...place }));
}

function denialsOf(zone: Zone, nsec3s: readonly ZoneRecord[]): Prove {
  const parameters = nsec3s[0] && hashing(nsec3s[0]);
  if (parameters === undefined) {
    const nsecs = [...zone.nodes.values()].flatMap((node) => node.filter(({ type }) => type === 'NSEC'));
    return proofsByNsec(zone, sortedBy(nsecs, canonicalKey));
  }
  const { iterations, salt } = parameters;
  const alike = nsec3s.filter((one) => {
    const other = hashing(one);
    return other.iterations === iterations && other.salt === salt;
  });
  const hasher = () => nameHasher(parameters, NODE_CRYPTO.digest);
  return proofsByNsec3(
    zone,
    hasher,
    sortedBy(alike, (owner) => owner),
  );
}

/** The third and the fourth field of an NSEC3 record (RFC 5155 3.3). */
export function hashing({ rdata }: ZoneRecord): { readonly iterations: number; readonly salt: string } {
  const [, , iterations, salt = ''] = rdataText('NSEC3', 'IN', Reader.of(rdata).data(rdata.length)).split(
    ' ',
  );
  return { iterations: Number(iterations), salt };
}

function sortedBy(records: readonly ZoneRecord[], keyOf: (owner: Name) => string): readonly ZoneRecord[] {
  return records
    .map((record) => ({ record, key: keyOf(record.name) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ record }) => record);
}
