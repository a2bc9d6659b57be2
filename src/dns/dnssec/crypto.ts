/** The cryptography that validation rests on. It knows nothing of the DNS but algorithm numbers and key formats. */
export interface Primitives {
  /**
   * Whether a signature over data was made with a public key, both in the formats that DNSSEC gives an
   * algorithm's number. False too for keys and signatures that are malformed; never throws.
   */
  readonly verify: (
    algorithm: number,
    publicKey: Uint8Array,
    data: Uint8Array,
    signature: Uint8Array,
  ) => boolean;
  readonly digest: (kind: DigestKind, data: Uint8Array) => Uint8Array;
}

/** Digests of keys in DS records, by their numbers (RFC 4509, RFC 6605). */
export type DigestKind = 'sha1' | 'sha256' | 'sha384';

/** Algorithms of keys and signatures that count (RFC 8624 3.1): RSA, ECDSA and EdDSA. */
export function isSupportedAlgorithm(algorithm: number): boolean {
  return ALGORITHMS.has(algorithm);
}

const ALGORITHMS: ReadonlySet<number> = new Set([5, 7, 8, 10, 13, 14, 15, 16]);

/** The digest that a DS record's number stands for; undefined if it is not supported (RFC 8624 3.3). */
export function digestKindOf(digestType: number): DigestKind | undefined {
  return DIGESTS.get(digestType);
}

const DIGESTS: ReadonlyMap<number, DigestKind> = new Map([
  [1, 'sha1'],
  [2, 'sha256'],
  [4, 'sha384'],
]);

/** How many octets a digest has. */
export const DIGEST_OCTETS: Readonly<Record<DigestKind, number>> = { sha1: 20, sha256: 32, sha384: 48 };

/** Digests that signatures are made of. */
export type SignedDigest = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** A public key as DNSKEY records have it, taken apart. */
export type PublicKey =
  /** RFC 3110, RFC 5155 2, RFC 5702; signatures by PKCS #1 1.5. */
  | {
      readonly kind: 'rsa';
      readonly digest: SignedDigest;
      readonly exponent: Uint8Array;
      readonly modulus: Uint8Array;
    }
  /** RFC 6605 4: a point. */
  | {
      readonly kind: 'ecdsa';
      readonly curve: 'P-256' | 'P-384';
      readonly digest: SignedDigest;
      readonly x: Uint8Array;
      readonly y: Uint8Array;
    }
  /** RFC 8080 3; with digests of their own (RFC 8032). */
  | { readonly kind: 'eddsa'; readonly curve: 'Ed25519' | 'Ed448'; readonly point: Uint8Array };

/** Takes a key of an algorithm apart; undefined for an algorithm that is not supported, and for octets that are no key of it. */
export function publicKeyOf(algorithm: number, octets: Uint8Array): PublicKey | undefined {
  return FORMATS[algorithm]?.(octets);
}

/** How many octets each signature by a key has (RFC 3110 3, RFC 6605 4, RFC 8080 4). */
export function signatureLength(key: PublicKey): number {
  switch (key.kind) {
    case 'rsa':
      return key.modulus.length;
    case 'ecdsa':
      return key.x.length + key.y.length;
    case 'eddsa':
      return 2 * key.point.length;
  }
}

type Format = (octets: Uint8Array) => PublicKey | undefined;

const FORMATS: Readonly<Record<number, Format>> = {
  5: rsa('sha1'),
  7: rsa('sha1'),
  8: rsa('sha256'),
  10: rsa('sha512'),
  13: ecdsa('P-256', 32, 'sha256'),
  14: ecdsa('P-384', 48, 'sha384'),
  15: eddsa('Ed25519', 32),
  16: eddsa('Ed448', 57),
};

/** Octets of the longest modulus (RFC 5702 2), and of the longest exponent that is worth the time. */
const MOST_MODULUS = 512;
const MOST_EXPONENT = 8;

/** The algorithms whose keys have the format of RFC 3110 2. */
export const RSA_ALGORITHMS: ReadonlySet<number> = new Set([5, 7, 8, 10]);

/** RFC 3110 2: the length of the exponent in one octet, or in the two after a zero; the exponent; the modulus. */
export function rsaNumbers(octets: Uint8Array): {
  readonly exponent: Uint8Array;
  readonly modulus: Uint8Array;
} {
  const [short = 0, high = 0, low = 0] = octets;
  const [start, length] = short === 0 ? [3, high * 256 + low] : [1, short];
  return { exponent: octets.subarray(start, start + length), modulus: octets.subarray(start + length) };
}

/** Neither number may have leading zeros (RFC 3110 2). */
function rsa(digest: SignedDigest): Format {
  return (octets) => {
    // A longer length begins with a zero, and is an exponent's that is too long.
    if (octets[0] === 0) return undefined;
    const { exponent, modulus } = rsaNumbers(octets);
    if (!isNumber(exponent, MOST_EXPONENT) || !isNumber(modulus, MOST_MODULUS)) return undefined;
    return { kind: 'rsa', digest, exponent, modulus };
  };
}

function isNumber(octets: Uint8Array, most: number): boolean {
  return octets.length > 0 && octets.length <= most && octets[0] !== 0;
}

function ecdsa(curve: 'P-256' | 'P-384', length: number, digest: SignedDigest): Format {
  return (octets) => {
    if (octets.length !== 2 * length) return undefined;
    return { kind: 'ecdsa', curve, digest, x: octets.subarray(0, length), y: octets.subarray(length) };
  };
}

function eddsa(curve: 'Ed25519' | 'Ed448', length: number): Format {
  return (point) => (point.length === length ? { kind: 'eddsa', curve, point } : undefined);
}
