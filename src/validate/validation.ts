import type { FailedChecks } from './failed-checks.ts';
import type { Primitives } from './primitives.ts';
import type { SignatureChecks } from './signature-checks.ts';

/** The parameters that all verdicts of one evaluation share. */
export interface Validation {
  /** The moment at which signatures must be valid: whole seconds since 1970. */
  readonly time: number;
  readonly digest: Primitives['digest'];
  readonly checks: SignatureChecks;
  /** How many digests were made. Absent: nobody counts them. */
  readonly digests?: () => number;
  /** Failures in the reply at hand. Absent: the bounds of each RRset are enough. */
  readonly failed?: FailedChecks;
}
