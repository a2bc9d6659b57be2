/** Where a moment is, seen from a signature's validity, both bounds inclusive. */
type Validity = 'not-yet-valid' | 'expired' | 'valid';

/**
 * Where a moment in seconds since 1970 is. Inception and expiration have 32 bits and compare as serial
 * numbers (RFC 4034 3.1.5, RFC 1982 3.2): what is less than 2³¹ ahead comes later.
 */
export function validityAt(seconds: number, inception: number, expiration: number): Validity {
  if (isAfter(inception, seconds)) return 'not-yet-valid';
  return isAfter(seconds, expiration) ? 'expired' : 'valid';
}

function isAfter(a: number, b: number): boolean {
  const ahead = (((a - b) % 2 ** 32) + 2 ** 32) % 2 ** 32;
  return ahead > 0 && ahead < 2 ** 31;
}
