/* The info-codes of Extended DNS Errors for verdicts of validation. */

import type { InsecureReason, Insecurity } from './insecurity.ts';
import type { BogusReason } from './verdict.ts';

/**
 * The info-code of Extended DNS Errors (RFC 8914 4, RFC 9276 3.2) with which a validating resolver returns this
 * reason to its clients; undefined for zones that are unsigned on purpose.
 */
export function extendedErrorOf(why: Insecurity | { readonly reason: BogusReason }): number | undefined {
  if (why.reason === 'unsupported-ds' && why.algorithms.length > 0) return UNSUPPORTED_ALGORITHM;
  return INFO_CODES[why.reason];
}

const UNSUPPORTED_ALGORITHM = 1;

const INFO_CODES: Readonly<Record<BogusReason | InsecureReason, number | undefined>> = {
  'no-signature': 10,
  // "DNSSEC Bogus", where no other code says more.
  'wrong-signer': 6,
  'unsupported-algorithm': 6,
  'wrong-key': 6,
  'not-yet-valid': 8,
  expired: 7,
  'bad-signature': 6,
  'no-proof': 12,
  'no-matching-ds': 9,
  'no-keys': 9,
  'no-ds': undefined,
  'unsupported-ds': 2,
  'opt-out': undefined,
  iterations: 27,
  'unsigned-parent': undefined,
};
