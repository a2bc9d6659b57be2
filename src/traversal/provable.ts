import { runThrough } from '../base/pausable.ts';
import { NODE_CRYPTO } from '../dns/dnssec/node-crypto.ts';
import type { Saved } from '../document/read-result.ts';
import type { TraversalResult } from '../document/result.ts';
import { type DnssecScope, dnssecScopeOf, validatingScope, withValidation } from '../explore/recording.ts';
import { replaying } from './replay.ts';

/** Evaluates a saved traversal again, without a network: the same numbers to the last digit. */
export function replay(saved: Saved): TraversalResult {
  return runThrough(replaying(provable(saved)));
}

/** A saved traversal whose replies Node's cryptography can judge, if it was made to be judged. */
export function provable(saved: Saved): Saved {
  const recording = withValidation(NODE_CRYPTO, saved.recording);
  return recording === saved.recording ? saved : { ...saved, recording };
}

/**
 * What Node's cryptography judges a new traversal by: trust anchors, a line for each, and a moment in ISO 8601. Throws
 * a `TrustAnchorError` for anchors that are none.
 */
export function provingFrom(anchors: readonly string[], moment: string): DnssecScope {
  return validatingScope(NODE_CRYPTO, dnssecScopeOf(anchors, moment));
}
