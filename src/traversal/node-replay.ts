import { NODE_CRYPTO } from '../dns/dnssec/node-crypto.ts';
import { IANA_TRUST_ANCHORS } from '../dns/dnssec/trust-anchors.ts';
import type { SignaturesFound } from '../dns/dnssec/validation.ts';
import type { TraversalOptions } from '../document/options.ts';
import { readResult, type Saved } from '../document/read-result.ts';
import type { NotChecked, TraversalResult } from '../document/result.ts';
import { queryKey } from '../exchange/query.ts';
import {
  type DnssecScope,
  dnssecScopeOf,
  type Scope,
  validatingScope,
  withValidation,
} from '../explore/recording.ts';
import { exploredAgain } from '../explore/replayed-exploration.ts';
import { replaying } from './replay.ts';

/** Evaluates a saved traversal again, without a network: the same numbers to the last digit. */
export function replay(saved: Saved): TraversalResult {
  return replaying(withNodeCrypto(saved));
}

/** The same of a parsed document, as `--save` writes it. Throws an error that says what is wrong with it, and where. */
export function replayDocument(document: unknown): TraversalResult {
  return replay(readResult(document));
}

/** A saved traversal whose signatures Node's cryptography verifies, if it was made with DNSSEC. `found`: of which signatures it is known already. */
export function withNodeCrypto(saved: Saved, found?: SignaturesFound): Saved {
  const recording = withValidation(NODE_CRYPTO, saved.recording, found);
  return recording === saved.recording ? saved : { ...saved, recording };
}

/**
 * The DNSSEC scope of a new traversal whose signatures Node's cryptography verifies. Each anchor is a line of text, the
 * moment is ISO 8601. Throws a `TrustAnchorError` for a line that is not a trust anchor.
 */
export function nodeDnssecScope(anchors: readonly string[], moment: string): DnssecScope {
  return validatingScope(NODE_CRYPTO, dnssecScopeOf(anchors, moment));
}

/**
 * A result as it would be if some of its views had not been made: without what only these asked, and without their
 * findings. The same result if it has none of them.
 */
export function withoutViews(
  result: TraversalResult,
  views: ReadonlySet<NotChecked['view']>,
): TraversalResult {
  const lacked = new Set(result.notChecked?.filter(({ only }) => only === undefined).map(({ view }) => view));
  if ([...views].every((view) => lacked.has(view))) return result;
  const saved = readResult(result);
  const { scope, exchanges, probes } = saved.recording;
  const { dnssec, profiles, ...others } = scope;
  const narrowed: Scope = {
    ...others,
    ...(dnssec !== undefined && !views.has('validating') && { dnssec }),
    ...(profiles !== undefined && !views.has('profiles') && { profiles }),
    warm: views.has('warm') ? 'off' : scope.warm,
    check: views.has('audit') ? 'off' : scope.check,
  };
  const recording = {
    ...saved.recording,
    scope: narrowed,
    // Answers that vary are to be known as such whatever is compared.
    probes: probes.filter(({ probe }) => probe === 'repeat' || narrowed.check === 'on'),
  };
  const { maxQueries } = saved.circumstances.options;
  const { known } = exploredAgain(withValidation(NODE_CRYPTO, recording), maxQueries);
  const asked = new Set(known.asked.map(queryKey));
  return replay({
    ...saved,
    recording: { ...recording, exchanges: new Map([...exchanges].filter(([key]) => asked.has(key))) },
  });
}

/** The moment (ISO 8601) and the trust anchors (a line each) to validate by, in place of the recorded ones. */
type ValidatedBy = Pick<TraversalOptions, 'at' | 'trustAnchors'>;

/** A saved traversal with another moment or other trust anchors. */
interface Revalidated {
  readonly saved: Saved;
  /** How many questions it needs that were never asked. Paths through them end as cut off by the query limit. */
  readonly lacking: number;
}

/** Sets another moment or other trust anchors for a saved traversal that was made with DO. */
export function revalidated(saved: Saved, by: ValidatedBy): Revalidated {
  const { recording, circumstances } = saved;
  const options = { ...circumstances.options, ...by };
  const { at = circumstances.startedAt, trustAnchors = IANA_TRUST_ANCHORS, maxQueries } = options;
  const scope = { ...recording.scope, dnssec: nodeDnssecScope(trustAnchors, at) };
  const again = exploredAgain({ ...recording, scope }, maxQueries);
  return {
    saved: { ...saved, recording: again.recording, circumstances: { ...circumstances, options } },
    lacking: again.lacking,
  };
}
