import type { BogusReason } from '../../validate/bogus-reason.ts';
import type { Security } from '../../validate/verdict.ts';

/**
 * What validating makes of an exchange, for display: the worst of the steps that have it. `unknown`: a step of the
 * path view that the validating view does not judge, or one of a lookup.
 */
export type ExchangeVerdict =
  | { readonly status: Security | 'unknown' }
  | {
      readonly status: 'bogus';
      readonly reason: BogusReason;
      /** What it is to paths that learnt something else before: keys of another server, say. Absent: bogus to all. */
      readonly otherwise?: Security;
    };
