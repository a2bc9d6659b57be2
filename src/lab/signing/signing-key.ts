import { createHash } from 'node:crypto';
import { digestKindOf } from '../../validate/primitives.ts';
import { zoneKeyIn } from '../../validate/zone-key.ts';
import { type Name, nameToWire } from '../../wire/name.ts';
import { type PrivateKey, privateKey } from './private-key.ts';
import type { DsSpec, KeySpec, ZoneSigning } from './zone-signing.ts';

/** A key of a zone with the data of its DNSKEY record. */
export interface SigningKey {
  readonly spec: KeySpec;
  readonly algorithm: number;
  readonly tag: number;
  readonly dnskey: Uint8Array;
  readonly sign: PrivateKey['sign'];
}

/** A key of the zone at `apex`. */
export function signingKey(apex: Name, spec: KeySpec, signing: ZoneSigning): SigningKey {
  const algorithm = spec.algorithm ?? signing.algorithm ?? DEFAULT_ALGORITHM;
  const { publicKey, sign } = privateKey(algorithm, `${apex} ${spec.label ?? 'key'}`);
  const flags = spec.flags ?? (spec.signs === 'data' ? ZONE : ZONE | SECURE_ENTRY_POINT);
  const dnskey = Buffer.concat([
    Uint8Array.of(flags >> 8, flags & 0xff, spec.protocol ?? 3, algorithm),
    publicKey,
  ]);
  return { spec, algorithm, tag: zoneKeyIn(dnskey).tag, dnskey, sign };
}

const DEFAULT_ALGORITHM = 13;
/** RFC 4034 2.1.1. */
const ZONE = 0x100;
const SECURE_ENTRY_POINT = 1;

/** The data of a DS record of the zone at `apex` (RFC 4034 5.1). */
export function dsData(apex: Name, { key, digest = SHA_256 }: DsSpec, signing: ZoneSigning): Uint8Array {
  const { tag, algorithm, dnskey } = signingKey(apex, key, signing);
  const hash = createHash(digestKindOf(digest) ?? 'sha256')
    .update(nameToWire(apex))
    .update(dnskey);
  return Buffer.concat([Uint8Array.of(tag >> 8, tag & 0xff, algorithm, digest), hash.digest()]);
}

const SHA_256 = 2;
