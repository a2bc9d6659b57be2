import type { Name } from '../name.ts';

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
