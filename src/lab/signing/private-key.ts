import {
  constants,
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import { getOrMake } from '../../get-or-make.ts';
import { rsaKey } from './rsa-key.ts';

/** A private key and its public half as DNSKEY records have it. */
export interface PrivateKey {
  readonly publicKey: Uint8Array;
  readonly sign: (data: Uint8Array) => Uint8Array;
}

const made = new Map<string, PrivateKey>();

/**
 * The key of an algorithm (IANA's number) that a seed stands for, always the same. Anybody can compute it, so
 * it is good for tests only. An algorithm that the lab does not have gets a key and signatures that nobody can verify.
 */
export function privateKey(algorithm: number, seed: string): PrivateKey {
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
  return { publicKey: publicOctets(key), sign: (data) => sign(null, data, key) };
}

function publicOctets(key: KeyObject): Uint8Array {
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url');
}

function base64url(octets: Buffer): string {
  return octets.toString('base64url');
}
