import type { TraversalOptions } from '../base/options.ts';
import { forEachInTurn, type Pausable, runThrough } from '../base/pausable.ts';
import { NODE_CRYPTO } from '../dns/dnssec/node-crypto.ts';
import { IANA_TRUST_ANCHORS } from '../dns/dnssec/trust-anchors.ts';
import type { Saved } from '../document/read-result.ts';
import type { TraversalResult } from '../document/result.ts';
import { queryKey } from '../exchange/query.ts';
import {
  type DnssecScope,
  dnssecScopeOf,
  type Unasked,
  validatingScope,
  withValidation,
} from '../explore/recording.ts';
import { ReplayedExploration } from '../explore/replayed-exploration.ts';
import { replaying } from './replay.ts';

/** Evaluates a saved traversal again, without a network: the same numbers to the last digit. */
export function replay(saved: Saved): TraversalResult {
  return runThrough(replaying(withNodeCrypto(saved)));
}

/** A saved traversal whose replies Node's cryptography can judge, if it was made to be judged. */
export function withNodeCrypto(saved: Saved): Saved {
  const recording = withValidation(NODE_CRYPTO, saved.recording);
  return recording === saved.recording ? saved : { ...saved, recording };
}

/**
 * What Node's cryptography judges a new traversal by: trust anchors, a line for each, and a moment in ISO 8601. Throws
 * a `TrustAnchorError` for anchors that are none.
 */
export function nodeDnssecScope(anchors: readonly string[], moment: string): DnssecScope {
  return validatingScope(NODE_CRYPTO, dnssecScopeOf(anchors, moment));
}

/** What replies are judged by instead of what they were: a moment, in ISO 8601, and trust anchors, a line for each. */
type ValidatedBy = Pick<TraversalOptions, 'at' | 'trustAnchors'>;

/** A saved traversal whose replies are judged by something else. */
interface Revalidated {
  readonly saved: Saved;
  /** How many questions that takes which nobody asked. What depends on them counts as cut off by the limit of queries. */
  readonly lacking: number;
}

/** Judges the replies of a saved traversal, made with DO, by something else than what they were judged by. */
export function* revalidated(saved: Saved, by: ValidatedBy): Pausable<Revalidated> {
  const { recording, circumstances } = saved;
  const options = { ...circumstances.options, ...by };
  const { at = circumstances.startedAt, trustAnchors = IANA_TRUST_ANCHORS, maxQueries } = options;
  const scope = { ...recording.scope, dnssec: nodeDnssecScope(trustAnchors, at) };
  const known = new ReplayedExploration({ ...recording, scope });
  yield* forEachInTurn(recording.exchanges.values(), (exchanged) => known.learn(exchanged));
  const lacking = known
    .missingFrom(recording)
    .map((query): Unasked => ({ query, why: { kind: 'query-limit', limit: maxQueries } }));
  const unasked = new Map([
    ...recording.unasked,
    ...lacking.map((one) => [queryKey(one.query), one] as const),
  ]);
  return {
    saved: {
      ...saved,
      recording: { ...recording, scope, unasked },
      circumstances: { ...circumstances, options },
    },
    lacking: lacking.length,
  };
}
