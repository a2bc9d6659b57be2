/**
 * What is wrong with a signature, a denial or a key: svc-model(7), VALIDATING. The signature's are in the order in
 * which they are checked (RFC 4035 5.3.1), so that of several signatures the one that came furthest tells most.
 */
export const BOGUS_REASONS = [
  'no-signature',
  'wrong-signer',
  'unsupported-algorithm',
  'wrong-key',
  'not-yet-valid',
  'expired',
  'bad-signature',
  // Nothing denies what is missing, or what does is not enough (RFC 4035 5.4, RFC 5155 8).
  'no-proof',
  // No key that the parent's DS records name (RFC 4035 5.2).
  'no-matching-ds',
  // A usable reply to DNSKEY that is no answer.
  'no-keys',
] as const;

/** Why something is bogus. */
export type BogusReason = (typeof BOGUS_REASONS)[number];
