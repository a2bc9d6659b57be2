import type { Name } from '../wire/name.ts';
import type { Keys } from './keys.ts';
import type { SecureTrust, Trust } from './trust.ts';

/**
 * What else has to be known before a reply can be judged: svc-model(7), VALIDATING. Both are asked of the servers
 * that gave the reply.
 */
export type Need =
  /** Whether there is a cut at a name, and what its trust is: the question (name, DS). */
  | { readonly kind: 'cut'; readonly name: Name }
  /** The keys of a zone below the one asked, under its trust: the question (zone, DNSKEY). */
  | { readonly kind: 'keys'; readonly zone: Name; readonly trust: SecureTrust };

/** What the DS question for a name brought to light. */
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
 * What a step has learnt besides its zone's keys, drawn once for all replies that it judges. What is absent has not
 * been asked yet.
 */
export interface Knowledge {
  readonly cuts: ReadonlyMap<Name, Cut>;
  /** By zone; `none` if no server's reply was usable. */
  readonly keys: ReadonlyMap<Name, Keys | 'none'>;
}

/** Nothing has been asked yet. */
export const NOTHING_KNOWN: Knowledge = { cuts: new Map(), keys: new Map() };
