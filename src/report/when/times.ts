/*
 * report/when: until when resolvers go on with old answers. svc-model(7), UNTIL WHEN.
 *
 * `way.ts` reads from a result what resolvers can hold on the way to an answer (`copies.ts`, `held.ts`), with the TTL of
 * each server. `moves.ts` says which of the copies of NS records keep a product at old servers, and `curve.ts` turns TTLs
 * into shares of users over time. From these, `lead-times.ts` makes the times of each kind of change, `old-ends.ts` those
 * of a change that was made or planned, and `dangers.ts` the steps that hurt. `times.ts` joins them to the document;
 * `times-text.ts` and `curve-svg.ts` print it. Everything is a pure function of results and moments.
 */
import type { TraversalResult } from '../../document/result.ts';
import type { Times } from '../../document/when.ts';
import { leadTimes, profilesTold } from './lead-times.ts';
import { noticesOf } from './notices.ts';
import { wayIn } from './way.ts';

/** How long each kind of change would take if it were made at that moment. */
export function leadTimesOf(result: TraversalResult, at = new Date(result.finishedAt)): Times {
  const way = wayIn(result);
  return {
    query: result.query,
    at: at.toISOString(),
    lead: leadTimes(way, profilesTold(result)),
    notices: noticesOf(way, result),
  };
}
