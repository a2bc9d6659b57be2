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

/** RFC 3110 2: the exponent's length in one octet, the exponent, the modulus, neither with leading zeros. */
function rsa(digest: SignedDigest): Format {
  return (octets) => {
    // A longer length begins with a zero, and is an exponent's that is too long.
    const [length = 0] = octets;
    const [exponent, modulus] = [octets.subarray(1, 1 + length), octets.subarray(1 + length)];
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
