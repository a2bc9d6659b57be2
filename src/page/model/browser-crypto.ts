import { ed448 } from '@noble/curves/ed448.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256, p384 } from '@noble/curves/nist.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { type Primitives, type PublicKey, publicKeyOf, type SignedDigest } from '../../dns/dnssec/crypto.ts';
import type { Saved } from '../../document/read-result.ts';
import { withValidation } from '../../explore/recording.ts';

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

/** A saved traversal whose replies can be judged in a browser, if it was made to be judged. */
export function withBrowserCrypto(saved: Saved): Saved {
  return { ...saved, recording: withValidation(BROWSER_CRYPTO, saved.recording) };
}

type RsaKey = Extract<PublicKey, { kind: 'rsa' }>;

/** Whether a signature of a digest was made with a key: RSASSA-PKCS1-v1_5 (RFC 8017 8.2.2). */
function isPkcs1Signature(
  { digest: kind, exponent, modulus }: RsaKey,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== modulus.length) return false;
  const [number, e, n] = [numberOf(signature), numberOf(exponent), numberOf(modulus)];
  if (!isOdd(n) || !isOdd(e) || e === 1n) return false;
  return number < n && power(number, e, n) === numberOf(encoded(kind, digest, modulus.length));
}

/** RFC 8017 3.1: neither a product of odd primes nor what is prime to their order is even. */
function isOdd(number: bigint): boolean {
  return (number & 1n) === 1n;
}

/** What goes before a digest (RFC 8017 9.2, note 1). */
const PREFIXES: Readonly<Record<SignedDigest, string>> = {
  sha1: '3021300906052b0e03021a05000414',
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
};

/** RFC 8017 9.2. */
function encoded(kind: SignedDigest, digest: Uint8Array, length: number): Uint8Array {
  const prefix = (PREFIXES[kind].match(/../g) ?? []).map((octet) => Number.parseInt(octet, 16));
  const padding = length - 3 - prefix.length - digest.length;
  if (padding < 8) throw new RangeError('the key is too short for the digest');
  return Uint8Array.of(0, 1, ...new Array<number>(padding).fill(0xff), 0, ...prefix, ...digest);
}

function numberOf(octets: Uint8Array): bigint {
  const hex = Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('');
  return BigInt(`0x${hex}`);
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let [square, left] = [base, exponent]; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
