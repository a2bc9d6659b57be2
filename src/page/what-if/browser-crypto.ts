import { ed448 } from '@noble/curves/ed448.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256, p384 } from '@noble/curves/nist.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import type { Primitives } from '../../validate/primitives.ts';
import { type PublicKey, publicKeyOf } from '../../validate/public-key.ts';
import { isPkcs1Signature } from './pkcs1.ts';

/** Cryptography for browsers, whose own cannot be waited for in the middle of a computation. */
export const BROWSER_CRYPTO: Primitives = {
  verify: (algorithm, publicKey, data, signature) => {
    const key = publicKeyOf(algorithm, publicKey);
    if (key === undefined) return false;
    try {
      return isSignature(key, data, signature);
    } catch {
      // A point that is not on its curve, or a signature of another length.
      return false;
    }
  },
  digest: (kind, data) => DIGESTS[kind](data),
};

const DIGESTS = { sha1, sha256, sha384, sha512 };
const CURVES = { 'P-256': p256, 'P-384': p384 };

/** The octet before a point with both its coordinates (SEC 1 2.3.3). */
const UNCOMPRESSED = 4;

function isSignature(key: PublicKey, data: Uint8Array, signature: Uint8Array): boolean {
  switch (key.kind) {
    case 'rsa':
      return isPkcs1Signature(key, DIGESTS[key.digest](data), signature);
    case 'ecdsa': {
      const point = Uint8Array.of(UNCOMPRESSED, ...key.x, ...key.y);
      return CURVES[key.curve].verify(signature, data, point, { lowS: false });
    }
    case 'eddsa':
      return isEdwardsSignature(key, data, signature);
  }
}

/** As strict as RFC 8032. */
function isEdwardsSignature(
  { curve, point }: Extract<PublicKey, { kind: 'eddsa' }>,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  switch (curve) {
    case 'Ed25519':
      return ed25519.verify(signature, data, point, { zip215: false });
    case 'Ed448':
      return ed448.verify(signature, data, point, { zip215: false });
  }
}
