import type { Outcome } from '../distribution.ts';
import type { Latency } from '../latency.ts';
import type { Step } from '../step.ts';
import type { ExchangeVerdict } from './exchange-verdict.ts';

/**
 * What users behind a validating resolver get, on the cold walk: svc-model(7), VALIDATING. Resolvers differ in one
 * thing, so there are two readings.
 */
export interface ValidatingView {
  /** Of a resolver that tries another server when a reply does not verify. In the order of all outcomes; they sum to 1. */
  readonly outcomes: readonly Outcome[];
  /** Of one that takes the first reply that it could use without proof, and fails if that does not verify. */
  readonly firstTryOutcomes: readonly Outcome[];
  /** Over all paths of the first reading. */
  readonly latency: Latency;
  /** By `queryKey`: what is made of each exchange. None for those that no resolver could use. */
  readonly verdicts: ReadonlyMap<string, ExchangeVerdict>;
  /** The steps that paths of the first reading come to, those of lookups apart. */
  readonly steps: readonly Step[];
}
