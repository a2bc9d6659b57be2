/* Derives the key that signs a zone of the lab. */

import {
  checkPrimeSync,
  constants,
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  sign,
} from 'node:crypto';
import { getOrMake } from '../../base/memo.ts';
import { digestKindOf } from '../../dns/dnssec/crypto.ts';
import { zoneKeyIn } from '../../dns/dnssec/keys.ts';
import { type Name, nameToWire } from '../../dns/name.ts';
import type { DsSpec, KeySpec, ZoneSigning } from './zone-signing.ts';

/** A key of the zone at `apex`. */
export function signingKey(apex: Name, spec: KeySpec, signing: ZoneSigning): SigningKey {
  const algorithm = spec.algorithm ?? signing.algorithm ?? DEFAULT_ALGORITHM;
  const { publicKey, sign } = privateKey(algorithm, `${apex} ${spec.label ?? 'key'}`);
  const flags = spec.flags ?? (spec.signs === 'data' ? ZONE : ZONE | SECURE_ENTRY_POINT);
  const dnskey = Buffer.concat([
    Uint8Array.of(flags >> 8, flags & 0xff, spec.protocol ?? 3, algorithm),
    spec.published === undefined ? publicKey : Buffer.from(spec.published, 'hex'),
  ]);
  return { spec, algorithm, tag: zoneKeyIn(dnskey).tag, dnskey, sign };
}

/** A key of a zone with the data of its DNSKEY record. */
export interface SigningKey {
  readonly spec: KeySpec;
  readonly algorithm: number;
  readonly tag: number;
  readonly dnskey: Uint8Array;
  readonly sign: PrivateKey['sign'];
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

/** A private key and its public half as DNSKEY records have it. */
interface PrivateKey {
  readonly publicKey: Uint8Array;
  readonly sign: (data: Uint8Array) => Uint8Array;
}

const made = new Map<string, PrivateKey>();

/**
 * The key of an algorithm (IANA's number) that a seed stands for, always the same. Anybody can compute it, so
 * it is good for tests only. An algorithm that the lab does not have gets a key and signatures that nobody can verify.
 */
function privateKey(algorithm: number, seed: string): PrivateKey {
  return getOrMake(made, `${algorithm} ${seed}`, () => makeKey(algorithm, seed));
}

function makeKey(algorithm: number, seed: string): PrivateKey {
  switch (algorithm) {
    case 5:
    case 7:
      return rsa(seed, 'sha1');
    case 8:
      return rsa(seed, 'sha256');
    case 10:
      return rsa(seed, 'sha512');
    case 13:
      return ecdsa(seed, { curve: 'prime256v1', crv: 'P-256', hash: 'sha256' });
    case 14:
      return ecdsa(seed, { curve: 'secp384r1', crv: 'P-384', hash: 'sha384' });
    case 15:
      return edwards(seed, { prefix: '302e020100300506032b657004220420', octets: 32 });
    case 16:
      return edwards(seed, { prefix: '3047020100300506032b6571043b0439', octets: 57 });
    default:
      return { publicKey: digest('sha256', seed), sign: (data) => digest('sha256', data) };
  }
}

function digest(hash: string, data: string | Uint8Array): Buffer {
  return createHash(hash).update(data).digest();
}

/** RFC 3110 2 and 3, RFC 5702 3: the exponent's length, the exponent, the modulus. */
function rsa(seed: string, hash: string): PrivateKey {
  const { exponent, modulus, jwk } = rsaKey(seed);
  const key = { key: createPrivateKey({ key: jwk, format: 'jwk' }), padding: constants.RSA_PKCS1_PADDING };
  return {
    publicKey: Buffer.concat([Uint8Array.of(exponent.length), exponent, modulus]),
    sign: (data) => sign(hash, data, key),
  };
}

/** RFC 6605 4: the two coordinates of the public point; the two numbers of a signature. */
function ecdsa(
  seed: string,
  { curve, crv, hash }: { readonly curve: string; readonly crv: string; readonly hash: string },
): PrivateKey {
  const pair = createECDH(curve);
  // As long as the curve's numbers; that it is not below the curve's order is as likely as guessing a key.
  const d = digest(hash, seed);
  pair.setPrivateKey(d);
  const point = pair.getPublicKey().subarray(1);
  const [x, y] = [point.subarray(0, point.length / 2), point.subarray(point.length / 2)];
  const jwk = { kty: 'EC', crv, d: base64url(d), x: base64url(x), y: base64url(y) };
  const key = { key: createPrivateKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  return { publicKey: point, sign: (data) => sign(hash, data, key) };
}

/** RFC 8080 3 and 4; the prefix is that of PKCS #8 (RFC 8410 7). */
function edwards(
  seed: string,
  { prefix, octets }: { readonly prefix: string; readonly octets: number },
): PrivateKey {
  const secret = digest('sha512', seed).subarray(0, octets);
  const der = Buffer.concat([Buffer.from(prefix, 'hex'), secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    publicKey: Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url'),
    sign: (data) => sign(null, data, key),
  };
}

function base64url(octets: Buffer): string {
  return octets.toString('base64url');
}

/** An RSA key: what DNSKEY records have of it, and all of it. */
interface RsaKey {
  readonly exponent: Uint8Array;
  readonly modulus: Uint8Array;
  readonly jwk: JsonWebKey;
}

const EXPONENT = 65_537n;
/** Octets of each prime: the least that RFC 5702 2 allows for all its algorithms, so that keys are quickly found. */
const PRIME_OCTETS = 64;

/** The RSA key of 1,024 bits that a seed stands for: the first primes from two numbers on. */
function rsaKey(seed: string): RsaKey {
  const [p, q] = [primeFrom(`${seed} p`), primeFrom(`${seed} q`)];
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n));
  const modulus = octetsOf(p * q);
  const jwk = {
    kty: 'RSA',
    n: text(p * q),
    e: text(EXPONENT),
    d: text(d),
    p: text(p),
    q: text(q),
    dp: text(d % (p - 1n)),
    dq: text(d % (q - 1n)),
    qi: text(inverse(q, p)),
  };
  return { exponent: octetsOf(EXPONENT), modulus, jwk };
}

function primeFrom(seed: string): bigint {
  const octets = createHash('sha512').update(seed).digest().subarray(0, PRIME_OCTETS);
  // The two highest bits, so that the modulus has its full length; the lowest, because primes are odd.
  octets[0] = (octets[0] ?? 0) | 0xc0;
  let candidate = BigInt(`0x${octets.toString('hex')}`) | 1n;
  while ((candidate - 1n) % EXPONENT === 0n || !checkPrimeSync(candidate)) candidate += 2n;
  return candidate;
}

/** By Euclid's algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (a > 1n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % modulus) + modulus) % modulus;
}

function octetsOf(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}

function text(value: bigint): string {
  return octetsOf(value).toString('base64url');
}
