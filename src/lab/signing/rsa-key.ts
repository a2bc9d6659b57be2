import { checkPrimeSync, createHash, type JsonWebKey } from 'node:crypto';

/** An RSA key: what DNSKEY records have of it, and all of it. */
export interface RsaKey {
  readonly exponent: Uint8Array;
  readonly modulus: Uint8Array;
  readonly jwk: JsonWebKey;
}

const EXPONENT = 65_537n;
/** Octets of each prime: the least that RFC 5702 2 allows for all its algorithms, so that keys are quickly found. */
const PRIME_OCTETS = 64;

/** The RSA key of 1,024 bits that a seed stands for: the first primes from two numbers on. */
export function rsaKey(seed: string): RsaKey {
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
