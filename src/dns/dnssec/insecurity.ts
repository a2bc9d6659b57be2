import type { Name } from '../name.ts';

/**
 * Why something is insecure: nothing can be proven, or the proof leaves room for unsigned data (svc-model(7), VALIDATING).
 * It explains trust and verdicts and is no part of them: equal trust may have several reasons.
 */
export type Insecurity = Reason & {
  /** The zone cut below which nothing is proven; absent for a denial of anything else than DS records. */
  readonly zone?: Name;
  /** The server that proved it; absent until the server is known, and where a zone above is the reason. */
  readonly address?: string;
};

type Reason =
  | { readonly reason: Exclude<InsecureReason, 'unsupported-ds'> }
  /** Those of the zone's DS records that are not supported. */
  | {
      readonly reason: 'unsupported-ds';
      readonly algorithms: readonly number[];
      readonly digests: readonly number[];
    };

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
