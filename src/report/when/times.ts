/*
 * report/when: until when resolvers go on with old answers. svc-model(7), UNTIL WHEN.
 *
 * `way.ts` reads from a result what resolvers can hold on the way to an answer (`copies.ts`, `held.ts`), with the TTL of
 * each server. `moves.ts` says which of the copies of NS records keep a product at old servers, and `curve.ts` turns TTLs
 * into shares of users over time. From these, `lead-times.ts` makes the times of each kind of change, `old-ends.ts` those
 * of a change that was made or planned, and `dangers.ts` the steps that hurt. `times.ts` joins them to the document;
 * `times-text.ts` (`lead-text.ts`,
 * `change-text.ts`) and `curve-svg.ts` print it. Everything is a pure function of results and moments.
 */
import type { TraversalResult } from '../../document/result.ts';
import type { Times } from '../../document/when.ts';
import { dangersOf } from './dangers.ts';
import { leadTimes, profilesTold } from './lead-times.ts';
import { noticesOf, ttlNotices } from './notices.ts';
import { oldEnds } from './old-ends.ts';
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

/**
 * Until when users get what they got before a change that was made, or is planned for, that moment. `before` and `after` are
 * results for one question. The lead times are those of the world that was there first.
 */
export function timesOfChange(before: TraversalResult, after: TraversalResult, at: Date): Times {
  const ways = { before: wayIn(before), after: wayIn(after) };
  const profiles = profilesTold(after);
  const comparison = { before, after, ways, at, profiles };
  return {
    query: after.query,
    at: at.toISOString(),
    lead: leadTimes(ways.before, profiles),
    changes: oldEnds(comparison),
    dangers: dangersOf(comparison),
    notices: ttlNotices(ways.before),
  };
}
