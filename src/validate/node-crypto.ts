import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { getOrMake } from '../get-or-make.ts';
import type { Primitives } from './primitives.ts';

/** The cryptography of Node. */
export const NODE_CRYPTO: Primitives = {
  verify: (algorithm, publicKey, data, signature) => {
    const scheme = SCHEMES[algorithm];
    if (scheme === undefined) return false;
    const key = keyObject(scheme, publicKey);
    if (key === 'malformed') return false;
    try {
      return verify(scheme.hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature);
    } catch {
      // What OpenSSL refuses to look at was not signed with the key.
      return false;
    }
  },
  digest: (kind, data) => createHash(kind).update(data).digest(),
};

interface Scheme {
  /** Null where the algorithm has its own (RFC 8032). */
  readonly hash: string | null;
  /** Undefined if the octets are no key of the scheme. */
  readonly jwk: (publicKey: Uint8Array) => JsonWebKey | undefined;
}

const SCHEMES: Readonly<Record<number, Scheme>> = {
  // RFC 3110, RFC 5155 2, RFC 5702
  5: { hash: 'sha1', jwk: rsa },
  7: { hash: 'sha1', jwk: rsa },
  8: { hash: 'sha256', jwk: rsa },
  10: { hash: 'sha512', jwk: rsa },
  // RFC 6605 4: the point without the octet that says it is uncompressed
  13: { hash: 'sha256', jwk: curve('P-256', 32) },
  14: { hash: 'sha384', jwk: curve('P-384', 48) },
  // RFC 8080 3
  15: { hash: null, jwk: edwards('Ed25519', 32) },
  16: { hash: null, jwk: edwards('Ed448', 57) },
};

/** Octets of the longest modulus (RFC 5702 2), and of the longest exponent that is worth the time. */
const MOST_MODULUS = 512;
const MOST_EXPONENT = 8;

/** RFC 3110 2: the exponent's length in one octet, the exponent, the modulus, neither with leading zeros. */
function rsa(publicKey: Uint8Array): JsonWebKey | undefined {
  // A longer length begins with a zero, and is an exponent's that is too long.
  const [length = 0] = publicKey;
  const [exponent, modulus] = [publicKey.subarray(1, 1 + length), publicKey.subarray(1 + length)];
  if (!isNumber(exponent, MOST_EXPONENT) || !isNumber(modulus, MOST_MODULUS)) return undefined;
  return { kty: 'RSA', e: base64url(exponent), n: base64url(modulus) };
}

function isNumber(octets: Uint8Array, most: number): boolean {
  return octets.length > 0 && octets.length <= most && octets[0] !== 0;
}

function curve(crv: string, octets: number): Scheme['jwk'] {
  return (key) => {
    if (key.length !== 2 * octets) return undefined;
    return { kty: 'EC', crv, x: base64url(key.subarray(0, octets)), y: base64url(key.subarray(octets)) };
  };
}

function edwards(crv: string, octets: number): Scheme['jwk'] {
  return (key) => (key.length === octets ? { kty: 'OKP', crv, x: base64url(key) } : undefined);
}

function base64url(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64url');
}

const keyObjects = new WeakMap<Uint8Array, KeyObject | 'malformed'>();

function keyObject({ jwk }: Scheme, publicKey: Uint8Array): KeyObject | 'malformed' {
  return getOrMake(keyObjects, publicKey, () => {
    const key = jwk(publicKey);
    if (key === undefined) return 'malformed';
    try {
      return createPublicKey({ key, format: 'jwk' });
    } catch {
      // A point that is not on its curve, for example.
      return 'malformed';
    }
  });
}
