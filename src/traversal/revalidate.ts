import type { TraversalOptions } from '../base/options.ts';
import { forEachInTurn, type Pausable } from '../base/pausable.ts';
import { IANA_TRUST_ANCHORS } from '../dns/dnssec/trust-anchors.ts';
import type { Saved } from '../document/read-result.ts';
import { queryKey } from '../exchange/query.ts';
import type { Unasked } from '../explore/recording.ts';
import { ReplayedExploration } from '../explore/replayed-exploration.ts';
import { provingFrom } from './provable.ts';

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
  const scope = { ...recording.scope, dnssec: provingFrom(trustAnchors, at) };
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
