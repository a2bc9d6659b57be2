import type { Name } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import type { Records } from '../wire/records.ts';

/** One alias that a reply led along: a CNAME record at `owner`, or a DNAME record at an `owner` above the name. */
export interface AliasLink {
  readonly owner: Name;
  readonly target: Name;
}

/** The statement of a reply that its signatures must prove, by its class for the zone that was asked: svc-model(7), EXCHANGES. */
export type Claim =
  /** `links` lead from the name asked to the name of the answer, the target, or the name that came back. */
  | { readonly kind: 'answer' | 'alias' | 'alias-loop'; readonly links: readonly AliasLink[] }
  | { readonly kind: 'nxdomain' | 'nodata' }
  | { readonly kind: 'referral'; readonly to: Name };

/** A usable reply to be validated. */
export interface JudgedReply {
  readonly question: Question;
  readonly claim: Claim;
  readonly answer: Records;
  readonly authority: Records;
}
