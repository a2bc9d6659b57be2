/* Why replies do not prove what they say: reasons, as results and findings name them. */

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

/** Of several signatures' failures the one that came furthest; without any there is no signature. */
export function furthest(reasons: readonly BogusReason[]): BogusReason {
  const at = Math.max(0, ...reasons.map((reason) => BOGUS_REASONS.indexOf(reason)));
  return BOGUS_REASONS[at] ?? 'no-signature';
}

/** The reasons for which replies are insecure. */
export const INSECURE_REASONS = [
  // The parent proves that the zone has no DS records (RFC 4035 5.2).
  'no-ds',
  // None of the DS records has an algorithm and a digest that are supported (RFC 4035 5.2).
  'unsupported-ds',
  // An opt-out NSEC3 record covers the name (RFC 5155 6).
  'opt-out',
  // NSEC3 records with too many iterations (RFC 9276 3.2).
  'iterations',
  // A zone cut above is insecure.
  'unsigned-parent',
] as const;

/** The code of a reason. */
export type InsecureReason = (typeof INSECURE_REASONS)[number];
