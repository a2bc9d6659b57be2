import type { PublicKey, SignedDigest } from '../../validate/public-key.ts';

type RsaKey = Extract<PublicKey, { kind: 'rsa' }>;

/** Whether a signature of a digest was made with a key: RSASSA-PKCS1-v1_5 (RFC 8017 8.2.2). */
export function isPkcs1Signature(
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
