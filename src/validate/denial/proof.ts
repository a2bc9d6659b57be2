import type { BogusReason } from '../bogus-reason.ts';
import type { Security } from '../verdict.ts';

/** Whether NSEC or NSEC3 records prove what they were sent for. */
export type Proof =
  | {
      readonly kind: 'proven';
      /** `insecure` where the proof leaves room for unsigned names, or is not worth following. */
      readonly security: Security;
      /** Whether the name denied is shown to be a zone cut without DS. */
      readonly isCut: boolean;
    }
  | { readonly kind: 'unproven'; readonly reason: BogusReason };

/** What one kind of records proves; undefined if it does not prove it. */
export type ProofFound = 'secure' | 'cut' | 'opt-out' | undefined;
