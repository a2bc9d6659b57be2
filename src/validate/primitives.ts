/** Digests of keys in DS records, by their numbers (RFC 4509, RFC 6605). */
export type DigestKind = 'sha1' | 'sha256' | 'sha384';

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
