/* Reads the keys of a zone, and says which count for validation. */

import { toBase64 } from '../../base/encodings.ts';
import type { Name } from '../name.ts';
import { fitsType } from '../record.ts';
import { compareOctets, type Data, rdataOctets } from './canonical.ts';
import { RSA_ALGORITHMS, rsaNumbers } from './crypto.ts';

/**
 * A zone and the keys that validate its records: K in svc-model(7), VALIDATING. Only keys that count are in it.
 * `id` is equal exactly for equal keys of a zone.
 */
export interface Keys {
  readonly zone: Name;
  readonly keys: readonly ZoneKey[];
  readonly id: string;
}

export function keysOf(zone: Name, keys: readonly ZoneKey[]): Keys {
  const id = keys.map(({ rdata }) => toBase64(rdata)).join(' ');
  return { zone, keys, id: `${zone} ${id}` };
}

/** A DNSKEY record's data (RFC 4034 2.1). */
export interface ZoneKey {
  readonly flags: number;
  readonly protocol: number;
  readonly algorithm: number;
  readonly publicKey: Uint8Array;
  readonly tag: number;
  /** All of it in octets. */
  readonly rdata: Uint8Array;
}

/** A key of a DNSKEY record's data, which are at least four octets long. */
export function zoneKeyIn(rdata: Uint8Array): ZoneKey {
  const view = new DataView(rdata.buffer, rdata.byteOffset, rdata.byteLength);
  return {
    flags: view.getUint16(0),
    protocol: view.getUint8(2),
    algorithm: view.getUint8(3),
    publicKey: rdata.subarray(4),
    tag: keyTag(rdata),
    rdata,
  };
}

/** The keys of the DNSKEY records whose data fit, in their order. */
export function zoneKeysIn(records: Iterable<Data>): ZoneKey[] {
  const octets = [...records].filter(fitsType).map(rdataOctets);
  return octets.filter((one) => one !== undefined).map(zoneKeyIn);
}

/** RFC 4034 2.1.1: the key may sign a zone. RFC 5011 3: it is revoked. */
const ZONE_FLAG = 0x0100;
const REVOKE_FLAG = 0x0080;
const SEP_FLAG = 0x0001;

/** Whether a key counts: a zone's key (RFC 4034 2.1.1), of DNSSEC (2.1.2), and not revoked (RFC 5011 2.1). */
export function countsAsKey(key: ZoneKey): boolean {
  return isZoneKey(key) && !isRevoked(key) && key.protocol === 3;
}

/** Whether a key may sign records of a zone: RFC 4034 2.1.1. */
export function isZoneKey({ flags }: ZoneKey): boolean {
  return (flags & ZONE_FLAG) !== 0;
}

/** Whether its zone says that it is not to be used any more: RFC 5011 2.1. */
export function isRevoked({ flags }: ZoneKey): boolean {
  return (flags & REVOKE_FLAG) !== 0;
}

/** Why a key does not count. */
export function whyNoKey(key: ZoneKey): string {
  if (!isZoneKey(key)) return 'lacks the Zone flag';
  return key.protocol === 3 ? 'is revoked' : `has protocol ${key.protocol}, not 3`;
}

/** A revoked key as it was before: DS records name that. */
export function unrevoked({ rdata }: ZoneKey): ZoneKey {
  const before = Uint8Array.from(rdata);
  before[1] = (before[1] ?? 0) & ~REVOKE_FLAG;
  return zoneKeyIn(before);
}

/** Whether its owner means the key to be named at the parent (RFC 4034 2.1.1, SEP). */
export function isEntryPoint({ flags }: ZoneKey): boolean {
  return (flags & SEP_FLAG) !== 0;
}

/** RFC 4034 appendix B. (Algorithm 1, which has another rule, is not supported.) */
function keyTag(rdata: Uint8Array): number {
  let sum = 0;
  for (const [at, octet] of rdata.entries()) sum += at % 2 === 0 ? octet << 8 : octet;
  return (sum + (sum >>> 16)) & 0xffff;
}

/** So many keys with one tag and algorithm are tried: a bound on what hostile zones can cost (CVE-2023-50387). */
const MOST_ALIKE = 4;

/** Of keys with one tag and algorithm the first four in canonical order (RFC 4034 6.3). */
export function firstAlike(keys: readonly ZoneKey[]): readonly ZoneKey[] {
  const sorted = [...keys].sort((a, b) => compareOctets(a.rdata, b.rdata));
  const seen = new Map<string, number>();
  return sorted.filter(({ tag, algorithm }) => {
    const alike = `${tag} ${algorithm}`;
    const before = seen.get(alike) ?? 0;
    seen.set(alike, before + 1);
    return before < MOST_ALIKE;
  });
}

/** "SHA-256"; "digest type 99" if the number has no name. */
export function digestName(digestType: number): string {
  return DIGEST_NAMES[digestType] ?? `digest type ${digestType}`;
}

/** https://www.iana.org/assignments/ds-rr-types */
const DIGEST_NAMES: Readonly<Record<number, string>> = {
  1: 'SHA-1',
  2: 'SHA-256',
  3: 'GOST R 34.11-94',
  4: 'SHA-384',
  5: 'GOST R 34.11-2012',
  6: 'SM3',
};

/** The size of an RSA key in bits. Undefined for keys of other algorithms, whose size the algorithm says, and without modulus. */
export function rsaBits({ algorithm, publicKey }: ZoneKey): number | undefined {
  if (!RSA_ALGORITHMS.has(algorithm)) return undefined;
  const { modulus } = rsaNumbers(publicKey);
  const [first] = modulus;
  return first === undefined ? undefined : modulus.length * 8 - Math.clz32(first) + 24;
}
