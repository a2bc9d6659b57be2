/* What the traversals of many names share. */

import type { Question } from '../../dns/message.ts';
import type { TraversalEvent } from '../../document/events.ts';
import type { TraversalOptions } from '../../document/options.ts';
import { probing, type SpecialExchange } from '../../exchange/exchange.ts';
import type { Exchange, Probing } from '../../exchange/exchanged.ts';
import type { Pace } from '../../exchange/pacer.ts';
import type { Query } from '../../exchange/query.ts';
import { byTtl, momentary, shareExchanges, shareProbes } from '../../exchange/shared-exchanges.ts';
import { KnownReferrals, shareReferrals } from '../../explore/shared-referrals.ts';
import type { LineForm } from '../../report/result-line.ts';
import type { Configuration } from '../configuration.ts';

/** Exchanges and probes that the names of a run share. */
export interface SharedAmongNames {
  readonly exchange: Exchange;
  readonly probing: Probing;
}

/** Those that a traversal would use itself at the age that they have: of `maxAgeMs` at most. `keeps`: of questions that another name may have. */
export function sharedForMoment(
  exchange: SpecialExchange,
  maxAgeMs: number,
  keeps: (query: Query) => boolean = () => true,
): SharedAmongNames {
  const sharing = { lifeMs: momentary(maxAgeMs), marked: false, maxKept: MOST_KEPT.moment, keeps };
  return { exchange: shareExchanges(exchange, sharing), probing: shareProbes(probing(exchange), sharing) };
}

/** All of a run, as in a resolver's cache (svc-model(7), SHARED EXCHANGES). */
export function sharedInRun(exchange: SpecialExchange, maxAgeMs: number): SharedAmongNames {
  const referring = shareReferrals(exchange, new KnownReferrals(MOST_CUTS));
  const sharing = { lifeMs: byTtl, marked: true, maxKept: MOST_KEPT.run };
  const probes = { ...sharing, lifeMs: momentary(maxAgeMs), marked: false };
  return { exchange: shareExchanges(referring, sharing), probing: shareProbes(probing(exchange), probes) };
}

/** The most replies that are kept for other names. */
const MOST_KEPT = { moment: 4_000, run: 20_000 } as const;

/** The most cuts of zones other than the root that a run remembers. */
const MOST_CUTS = 200;

/** The settings of a run over many names. They are copied to the worker. */
export interface LineRun {
  readonly options: TraversalOptions;
  readonly form: LineForm;
  /** Whether somebody follows the progress of names. */
  readonly audience: 'some' | 'none';
  /** The pace of the worker, where it need not wait for the main thread; absent: that gives turns. */
  readonly ownPace?: Pace;
  /** What is expected of which names; absent: nothing. */
  readonly configuration?: Configuration;
}

/** The progress of the traversal of a name. */
export type LineProgress = Extract<TraversalEvent, { readonly event: 'progress' }>;

/** A name of the list, with its line. */
export interface LineOrder {
  readonly question: Question;
  readonly line: number;
}
