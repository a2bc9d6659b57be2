import { getOrMake } from '../get-or-make.ts';
import type { Name } from '../wire/name.ts';
import { Reader } from '../wire/reader.ts';
import { fitsType } from '../wire/record.ts';
import { compareOctets } from './octets-order.ts';
import { rdataOctets } from './rdata-octets.ts';
import type { Rrset } from './rrset.ts';

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

const known = new WeakMap<Rrset, readonly Signature[]>();

/** The signatures of an RRset that are tried: the first eight in canonical order (RFC 4034 6.3). */
export function signaturesOf(rrset: Rrset): readonly Signature[] {
  return getOrMake(known, rrset, () => {
    const octets = rrset.signatures.filter(fitsType).map(rdataOctets);
    const readable = octets.filter((one) => one !== undefined).sort(compareOctets);
    return readable.slice(0, MOST_SIGNATURES).map(signatureIn);
  });
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
