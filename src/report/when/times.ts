/*
 * report/when: how long resolvers give old answers after a change. svc-model(7), UNTIL WHEN.
 *
 * `way.ts` reads from a result the RRsets and denials that resolvers can hold on the way to an answer (`copies.ts`,
 * `held.ts`), with the TTL from each server. `moves.ts` tells which copies of NS records keep a product at old servers, and
 * `curve.ts` turns TTLs into shares of users over time. From these, `lead-times.ts` computes the times of each kind of
 * change, `old-ends.ts` the times of a change that was made or is planned, and `dangers.ts` its dangers; `notices.ts` adds
 * notices. `times.ts` joins all to the document; `times-text.ts` (`lead-text.ts`, `change-text.ts`) and `curve-svg.ts`
 * print it, with the curves of `old-end-curves.ts`. Everything is a pure function of results and moments.
 */
import type { TraversalResult } from '../../document/result.ts';
import type { Times } from '../../document/when.ts';
import { allNotChecked } from '../views/not-checked.ts';
import { dangersOf } from './dangers.ts';
import { leadTimes, profilesTold } from './lead-times.ts';
import { noticesOf, ttlNotices } from './notices.ts';
import { comparisonOf, oldEnds } from './old-ends.ts';
import { wayIn } from './way.ts';

/** How long each kind of change would take if it were made at the moment `at`. */
export function leadTimesOf(result: TraversalResult, at = new Date(result.finishedAt)): Times {
  const way = wayIn(result);
  return {
    query: result.query,
    at: at.toISOString(),
    lead: leadTimes(way, profilesTold(result)),
    notices: noticesOf(way, result),
    ...leftOutOf([result]),
  };
}

/**
 * How long users get the old ends after a change that was made, or is planned, at the moment `at`. `before` and `after` are
 * results for the same question. The lead times are those of `before`.
 */
export function timesOfChange(before: TraversalResult, after: TraversalResult, at: Date): Times {
  const comparison = comparisonOf(before, after, at);
  const { ways, profiles } = comparison;
  return {
    query: after.query,
    at: at.toISOString(),
    lead: leadTimes(ways.before, profiles),
    changes: oldEnds(comparison),
    dangers: dangersOf(comparison),
    notices: ttlNotices(ways.before),
    ...leftOutOf([before, after]),
  };
}

/** Times need no outcomes of profiles, only their data. */
function leftOutOf(results: readonly TraversalResult[]): Pick<Times, 'notChecked'> {
  const notChecked = allNotChecked(results).filter(({ view }) => view !== 'profiles');
  return notChecked.length === 0 ? {} : { notChecked };
}
