/* The names that IANA gives the algorithms and digests of DNSSEC, and the sizes of keys. */

import { RSA_ALGORITHMS, rsaNumbers } from './crypto.ts';
import type { ZoneKey } from './keys.ts';

/** "ECDSAP256SHA256"; "algorithm 99" if the number has no name. */
export function algorithmName(algorithm: number): string {
  return ALGORITHM_NAMES[algorithm] ?? `algorithm ${algorithm}`;
}

/** https://www.iana.org/assignments/dns-sec-alg-numbers */
const ALGORITHM_NAMES: Readonly<Record<number, string>> = {
  1: 'RSAMD5',
  3: 'DSA',
  5: 'RSASHA1',
  6: 'DSA-NSEC3-SHA1',
  7: 'RSASHA1-NSEC3-SHA1',
  8: 'RSASHA256',
  10: 'RSASHA512',
  12: 'ECC-GOST',
  13: 'ECDSAP256SHA256',
  14: 'ECDSAP384SHA384',
  15: 'ED25519',
  16: 'ED448',
  17: 'SM2SM3',
  23: 'ECC-GOST12',
};

/** "SHA-256"; "digest type 99" if the number has no name. */
export function digestName(digestType: number): string {
  return DIGEST_NAMES[digestType] ?? `digest type ${digestType}`;
}

/** https://www.iana.org/assignments/ds-rr-types */
const DIGEST_NAMES: Readonly<Record<number, string>> = {
  1: 'SHA-1',
  2: 'SHA-256',
  3: 'GOST R 34.11-94',
  4: 'SHA-384',
  5: 'GOST R 34.11-2012',
  6: 'SM3',
};

/** The size of an RSA key in bits. Undefined for keys of other algorithms, whose size the algorithm says, and without modulus. */
export function rsaBits({ algorithm, publicKey }: ZoneKey): number | undefined {
  if (!RSA_ALGORITHMS.has(algorithm)) return undefined;
  const { modulus } = rsaNumbers(publicKey);
  const [first] = modulus;
  return first === undefined ? undefined : modulus.length * 8 - Math.clz32(first) + 24;
}
