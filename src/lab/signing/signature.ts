import { labelCount, type Name, nameToWire } from '../../wire/name.ts';
import { typeCode } from '../../wire/type.ts';
import type { SigningKey } from './signing-key.ts';

/** What a signature says besides its key. */
export interface SignatureTerms {
  readonly signer: Name;
  /** Seconds since 1970. */
  readonly inception: number;
  readonly expiration: number;
}

/** An RRset as it was in the zone: its owner may be a wildcard. */
export interface SignedSet {
  readonly owner: Name;
  readonly type: string;
  /** Seconds. */
  readonly ttl: number;
  readonly data: readonly Uint8Array[];
}

/** The fields of an RRSIG record up to the signer's name (RFC 4034 3.1). */
export function signatureFields(set: SignedSet, key: SigningKey, terms: SignatureTerms): Uint8Array {
  const fields = Buffer.alloc(18);
  fields.writeUInt16BE(codeOf(set.type), 0);
  fields.writeUInt8(key.algorithm, 2);
  fields.writeUInt8(labelsIn(set.owner), 3);
  fields.writeUInt32BE(set.ttl, 4);
  fields.writeUInt32BE(terms.expiration, 8);
  fields.writeUInt32BE(terms.inception, 12);
  fields.writeUInt16BE(key.tag, 16);
  return Buffer.concat([fields, nameToWire(terms.signer)]);
}

/** RFC 4034 3.1.3: neither the root nor a wildcard's asterisk counts. */
function labelsIn(owner: Name): number {
  return labelCount(owner) - (owner.startsWith('*.') ? 1 : 0);
}

/** What is signed (RFC 4034 3.1.8.1): the fields, then the records in canonical form and order. */
export function signedOctets(fields: Uint8Array, { owner, type, ttl, data }: SignedSet): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(codeOf(type), 0);
  head.writeUInt16BE(CLASS_IN, 2);
  head.writeUInt32BE(ttl, 4);
  const name = nameToWire(owner);
  const sorted = [...data].sort(Buffer.compare);
  const distinct = sorted.filter(
    (octets, index) => index === 0 || Buffer.compare(octets, sorted[index - 1] ?? octets) !== 0,
  );
  const records = distinct.flatMap((octets) => [
    name,
    head,
    Uint8Array.of(octets.length >> 8, octets.length & 0xff),
    octets,
  ]);
  return Buffer.concat([fields, ...records]);
}

const CLASS_IN = 1;

function codeOf(type: string): number {
  return typeCode(type) ?? 0;
}
