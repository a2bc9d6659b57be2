import type { Name } from '../wire/name.ts';
import type { Keys } from './keys.ts';
import type { SecureTrust, Trust } from './trust.ts';

/**
 * A fact that validating a reply needs and that nobody has asked for yet: svc-model(7), VALIDATING. The servers that
 * gave the reply are asked for it.
 */
export type Need =
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
  /** The name does not exist: nor does anything below it. */
  | { readonly kind: 'no-name' }
  /** No server's reply was usable. */
  | { readonly kind: 'unusable' };

/**
 * The facts that a step has besides its zone's keys, drawn once for all replies that it validates. Absent facts have
 * not been asked for yet.
 */
export interface Knowledge {
  readonly cuts: ReadonlyMap<Name, Cut>;
  /** By zone; `none` if no server's reply was usable. */
  readonly keys: ReadonlyMap<Name, Keys | 'none'>;
}

/** Nothing has been asked yet. */
export const NOTHING_KNOWN: Knowledge = { cuts: new Map(), keys: new Map() };
