import type { Name } from '../wire/name.ts';
import type { Bogus } from './bogus.ts';
import type { Need } from './knowledge.ts';
import type { Trust } from './trust.ts';

/** Whether something is proven, or proven to be beyond proof: svc-model(7), VALIDATING. */
export type Security = 'secure' | 'insecure';

/** What verified, and what it means beyond the reply's class. */
export interface Good {
  readonly kind: 'good';
  readonly security: Security;
  /** The reply counts as an alias to this name only: what follows the alias there does not verify. */
  readonly cutDownTo?: Name;
  /** What is wrong with what was cut off. */
  readonly because?: Bogus;
  /**
   * Of the zone that a referral leads to; for a reply to a DS question, of the zone there. Absent if the reply says
   * nothing of that, or that there is no zone.
   */
  readonly trust?: Trust;
}

/** The verdict waits for a fact that nobody has asked for yet. */
export interface Needs {
  readonly kind: 'needs';
  readonly need: Need;
}

/** The verdict on a reply under the keys of its zone: svc-model(7), VALIDATING. */
export type Verdict =
  | Good
  /** A referral that comes without proof: usable, but the DS question for its zone decides. */
  | { readonly kind: 'unproven' }
  | Bogus
  | Needs;
