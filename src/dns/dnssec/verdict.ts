import type { Question } from '../message.ts';
import type { Name } from '../name.ts';
import type { Records } from '../record.ts';
import type { Keys } from './keys.ts';
import type { BogusReason, InsecureReason } from './reasons.ts';
import type { Insecurity, SecureTrust, Trust } from './trust.ts';

/** The verdict on a reply under the keys of its zone: svc-model(7), VALIDATING. */
export type Verdict =
  | Good
  /** A referral that comes without proof: usable, but the DS question for its zone decides. */
  | Unproven
  | Bogus
  | Needs;

/** Whether something is proven, or proven to be beyond proof: svc-model(7), VALIDATING. */
export type Security = 'secure' | 'insecure';

/** What verified, and what it means beyond the reply's class. */
export interface Good {
  readonly kind: 'good';
  readonly security: Security;
  /** Where it is `insecure`; absent for signatures, which nobody signs. */
  readonly why?: Insecurity;
  /**
   * Of the zone that a referral leads to; for a reply to a DS question, of the zone there. Absent if the reply says
   * nothing of that, or that there is no zone.
   */
  readonly trust?: Trust;
}

/** What is known of the proof of two parts together: the weaker one counts. */
export function weaker(one: Provenance, other: Provenance): Provenance {
  const { security, why } = one.security === 'insecure' ? one : other;
  return why === undefined ? { security } : { security, why };
}

/** How well something is proven. */
export type Provenance = Pick<Good, 'security' | 'why'>;

/** The verdict waits for a fact that nobody has asked for yet. */
export interface Needs {
  readonly kind: 'needs';
  readonly need: MissingFact;
}

/** A referral's own records prove nothing. */
interface Unproven {
  readonly kind: 'unproven';
  readonly lack?: Lack;
}

/** The verdict that something is not proven. */
export interface Bogus {
  readonly kind: 'bogus';
  readonly reason: BogusReason;
  /** What the NSEC or NSEC3 records lack, where they are to prove something. */
  readonly lack?: Lack;
}

export function bogus(reason: BogusReason, lack?: Lack): Bogus {
  return lack === undefined ? { kind: 'bogus', reason } : { kind: 'bogus', reason, lack };
}

/** The alias at the name asked: a CNAME record at `owner`, or a DNAME record at an `owner` above the name. */
export interface AliasLink {
  readonly owner: Name;
  readonly target: Name;
}

/** The statement of a reply that its signatures must prove, by its class for the zone that was asked: svc-model(7), EXCHANGES. */
export type Claim =
  | { readonly kind: 'alias' | 'alias-loop'; readonly link: AliasLink }
  | { readonly kind: 'answer' | 'nxdomain' | 'nodata' }
  | { readonly kind: 'referral'; readonly to: Name };

/** A usable reply to be validated. */
export interface ReplyToValidate {
  readonly question: Question;
  readonly claim: Claim;
  readonly answer: Records;
  readonly authority: Records;
}

/**
 * A fact that validating a reply needs and that nobody has asked for yet: svc-model(7), VALIDATING. The servers that
 * gave the reply are asked for it.
 */
export type MissingFact =
  /** Whether there is a cut at a name, and what its trust is: the question (name, DS). */
  | { readonly kind: 'cut'; readonly name: Name }
  /** The keys of a zone below the one asked, under its trust: the question (zone, DNSKEY). */
  | { readonly kind: 'keys'; readonly zone: Name; readonly trust: SecureTrust };

/** The result of the DS question for a name. */
export type Cut =
  /** A zone cut with this trust. */
  | { readonly kind: 'cut'; readonly trust: Trust }
  /** The name belongs to the zone above, or is an alias there. */
  | { readonly kind: 'no-cut' }
  /** One of the two: a secure zone cut, or none. Which of them it is matters only to data that the name signed. */
  | { readonly kind: 'no-insecure-cut' }
  /** The name does not exist: nor does anything below it. */
  | { readonly kind: 'no-name' }
  /** No server's reply was usable. */
  | { readonly kind: 'unusable' };

/**
 * The facts that a step has besides its zone's keys, drawn once for all replies that it validates. Absent facts have
 * not been asked for yet.
 */
export interface ZoneFacts {
  readonly cuts: ReadonlyMap<Name, Cut>;
  /** By zone; `none` if no server's reply was usable. */
  readonly keys: ReadonlyMap<Name, Keys | 'none'>;
}

/** Nothing has been asked yet. */
export const NO_ZONE_FACTS: ZoneFacts = { cuts: new Map(), keys: new Map() };

/** What a usable reply to a DS question says of its name: svc-model(7), VALIDATING 3f. */
export function cutIn(claim: Claim, { trust }: Good): Cut {
  if (trust !== undefined) return { kind: 'cut', trust };
  return { kind: claim.kind === 'nxdomain' ? 'no-name' : 'no-cut' };
}

/**
 * The trust that a reply to a DS question gives the zone that a referral without proof led to; undefined if the reply is
 * not usable for that: svc-model(7), VALIDATING 3d.
 */
export function trustIn(claim: Claim, { trust }: Good): Trust | undefined {
  return claim.kind === 'answer' || claim.kind === 'nodata' ? trust : undefined;
}

/**
 * Why NSEC or NSEC3 records do not prove a denial: the first gap that a validator finds. The provers in `nsec.ts` and
 * `nsec3.ts` return it in place of a proof, so every failed proof has its reason.
 */
export type Lack =
  /** There is no usable record. */
  | { readonly kind: 'no-record' }
  /** No record covers the name, so it may exist. */
  | (Denied & { readonly kind: 'not-covered' })
  /** A record shows that the name exists. */
  | (Denied & { readonly kind: 'exists' })
  /** No record matches the name, so its types are unknown. For a closest encloser: no record matches a name above. */
  | (Denied & { readonly kind: 'not-matched' })
  /** The name's record has the type denied, or one that stands for it. */
  | (Denied & { readonly kind: 'has-type'; readonly type: string })
  /** The name's record comes from the side of a zone cut that cannot deny the type (RFC 6840 4.1). */
  | (Denied & { readonly kind: 'other-side'; readonly side: 'parent' | 'child' })
  /** The name's record does not say that a zone begins there. */
  | { readonly kind: 'no-cut'; readonly name: Name }
  /** The record at a delegation or DNAME says nothing about names below it (RFC 6840 4.1). */
  | { readonly kind: 'ends-authority'; readonly name: Name }
  /** A name exists that is closer to the name asked than the parent of the wildcard. */
  | { readonly kind: 'nearer-name'; readonly name: Name; readonly wildcard: Name }
  /** A name is covered, but not by a record with Opt-Out, which alone leaves room for a delegation (RFC 5155 8.6, 8.9). */
  | { readonly kind: 'no-opt-out'; readonly name: Name; readonly hash: string };

/** A name that a proof is about. */
interface Denied {
  readonly of: 'name' | 'next-closer' | 'wildcard' | 'closest-encloser';
  readonly name: Name;
  /** In base32hex, where NSEC3 records are to prove it. */
  readonly hash?: string;
}

/** A statement that records prove: `cut` where they show a zone cut without DS, `opt-out` where they leave room for one. */
type Found = 'secure' | 'cut' | 'opt-out';

/** What one kind of records proves, or what it lacks for that. */
export type ProofFound = Found | Lack;

/** Tells proofs from lacks. */
export function isFound<T extends string>(found: T | Lack): found is T {
  return typeof found === 'string';
}

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
