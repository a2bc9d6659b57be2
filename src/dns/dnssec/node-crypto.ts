import { createPublicKey, hash, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { getOrMake } from '../../base/memo.ts';
import { type Primitives, type PublicKey, publicKeyOf } from './crypto.ts';

/** The cryptography of Node. */
export const NODE_CRYPTO: Primitives = {
  verify: (algorithm, publicKey, data, signature) => {
    const known = keyOf(algorithm, publicKey);
    if (known === 'malformed') return false;
    try {
      const key = { key: known.object, dsaEncoding: 'ieee-p1363' } as const;
      return verify(known.digest, data, key, signature);
    } catch {
      // What OpenSSL refuses to look at was not signed with the key.
      return false;
    }
  },
  // At once: hashed denial makes thousands, and an object for each would take twice the time.
  digest: (kind, data) => hash(kind, data, 'buffer'),
};

interface KnownKey {
  readonly object: KeyObject;
  /** Null where the algorithm has its own. */
  readonly digest: string | null;
}

const known = new WeakMap<Uint8Array, Map<number, KnownKey | 'malformed'>>();

function keyOf(algorithm: number, octets: Uint8Array): KnownKey | 'malformed' {
  const byAlgorithm = getOrMake(known, octets, () => new Map<number, KnownKey | 'malformed'>());
  return getOrMake(byAlgorithm, algorithm, () => {
    const key = publicKeyOf(algorithm, octets);
    if (key === undefined) return 'malformed';
    try {
      const object = createPublicKey({ key: jwkOf(key), format: 'jwk' });
      return { object, digest: key.kind === 'eddsa' ? null : key.digest };
    } catch {
      // A point that is not on its curve, for example.
      return 'malformed';
    }
  });
}

function jwkOf(key: PublicKey): JsonWebKey {
  switch (key.kind) {
    case 'rsa':
      return { kty: 'RSA', e: base64url(key.exponent), n: base64url(key.modulus) };
    case 'ecdsa':
      return { kty: 'EC', crv: key.curve, x: base64url(key.x), y: base64url(key.y) };
    case 'eddsa':
      return { kty: 'OKP', crv: key.curve, x: base64url(key.point) };
  }
}

function base64url(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64url');
}
