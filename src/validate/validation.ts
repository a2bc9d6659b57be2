import type { FailedChecks } from './failed-checks.ts';
import type { Primitives } from './primitives.ts';
import type { SignatureChecks } from './signature-checks.ts';

/** What every judgement of one evaluation has in common. */
export interface Validation {
  /** The moment at which signatures must be valid: whole seconds since 1970. */
  readonly time: number;
  readonly digest: Primitives['digest'];
  readonly checks: SignatureChecks;
  /** How many digests were made. Absent: nobody counts them. */
  readonly digests?: () => number;
  /** Of the reply that is judged. Absent: what bounds each RRset is enough. */
  readonly failed?: FailedChecks;
}
