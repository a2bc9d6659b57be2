/*
 * report/when: how long resolvers give old answers after a change. svc-model(7), UNTIL WHEN.
 *
 * `way.ts` reads from a result the RRsets and denials that resolvers can hold on the way to an answer
 * (`held.ts`), with the TTL from each server. `moves.ts` tells which copies of NS records keep a product at old servers, and
 * `curve.ts` turns TTLs into shares of users over time. From these, `lead-times.ts` computes the times of each kind of
 * change, `old-ends.ts` the times of a change that was made or is planned, and `dangers.ts` its dangers.
 * `times.ts` joins all to the document and adds notices; `times-text.ts` (`lead-text.ts`) and `curve-svg.ts` print it, with the curves of `old-end-curves.ts`. Everything is a pure function of results and moments.
 */
import type { TraversalResult } from '../../document/result.ts';
import { limitsMet } from '../../document/views.ts';
import type { NoticeRow, Times } from '../../document/when.ts';
import { grouped, listed, sentence } from '../../document/words/lists.ts';
import { durationWords } from '../../document/words/moments.ts';
import { plain } from '../../document/words/names.ts';
import { allNotChecked } from '../views/wording.ts';
import { dangersOf } from './dangers.ts';
import { copyWords, type Held } from './held.ts';
import { leadTimes, profilesTold } from './lead-times.ts';
import { comparisonOf, oldEnds } from './old-ends.ts';
import { type Way, wayIn, type ZoneOnWay } from './way.ts';

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

/** The notices on a way: TTLs that differ between servers, TTLs that slow a change without benefit, and unknown TTLs. */
function noticesOf(way: Way, result: TraversalResult): readonly NoticeRow[] {
  const zones = homesIn(way);
  return [
    ...ttlNotices(way),
    ...zones.flatMap(slowMove),
    ...zones.flatMap(slowNewName),
    ...zones.flatMap((zone) => unknownOf(zone, result)),
    ...(limitsMet(result).length > 0 ? [unknown('a limit was reached, so there may be longer TTLs')] : []),
  ];
}

/** The zones whose servers give data or denials. */
function homesIn({ sets, zones }: Way): readonly ZoneOnWay[] {
  const homes = new Set(sets.map(({ zone }) => zone));
  return zones.filter(({ zone }) => homes.has(zone));
}

/** The RRsets and denials for which servers give different TTLs. */
function ttlNotices(way: Way): readonly NoticeRow[] {
  const ofZones = homesIn(way).flatMap(({ parent, own, keys, ds, denial }) => [
    parent,
    own,
    keys,
    ds,
    denial,
  ]);
  const copies = new Set([...way.sets.map(({ held }) => held), ...ofZones]);
  return [...copies].flatMap((held) => (held === undefined ? [] : differing(held)));
}

function differing(held: Held): readonly NoticeRow[] {
  const byTtl = grouped(held.given, ({ ttl }) => `${ttl}`);
  if (byTtl.length < 2) return [];
  const ttls = [...byTtl]
    .sort((a, b) => b[0].ttl - a[0].ttl)
    .map((alike) => `${durationWords(alike[0].ttl * 1_000)} at ${listed(alike.map(({ server }) => server))}`);
  const message = `servers give different TTLs for ${copyWords(held)}: ${listed(ttls, MOST_TTLS)}`;
  return [{ kind: 'ttls-differ', message: sentence(message) }];
}

const MOST_TTLS = 4;

function longestGiven(held: Held | undefined): number | undefined {
  return held && Math.max(...held.given.map(({ ttl }) => ttl));
}

/** The TTL at the parent counts as well as the zone's own, so a short TTL in the zone alone speeds up no move. */
function slowMove({ zone, parent, own }: ZoneOnWay): readonly NoticeRow[] {
  const [theirs, ours] = [longestGiven(parent), longestGiven(own)];
  if (theirs === undefined || ours === undefined || theirs < TIMES_LONGER * ours || theirs - ours < HOUR)
    return [];
  const message = `the NS records of ${plain(zone)} have a TTL of ${durationWords(theirs * 1_000)} at its parent and of ${durationWords(ours * 1_000)} in the zone: a move to other name servers takes the longer time anyway`;
  return [slow(message)];
}

const TIMES_LONGER = 4;

const HOUR = 3_600;

/** RFC 2308 5: one to three hours work well. */
const LONG_NEGATIVE = 3 * HOUR;

function slowNewName({ zone, denial }: ZoneOnWay): readonly NoticeRow[] {
  const negative =
    denial && Math.max(...denial.given.map(({ ttl, minimum = ttl }) => Math.min(ttl, minimum)));
  if (negative === undefined || negative <= LONG_NEGATIVE) return [];
  const message = `resolvers keep denials of ${plain(zone)} for ${durationWords(negative * 1_000)}, so users who ask for a new name too early have to wait: lower MINIMUM in the SOA record to an hour`;
  return [slow(message)];
}

function slow(message: string): NoticeRow {
  return { kind: 'slow', message: sentence(message) };
}

function unknownOf(
  { zone, own, denial }: ZoneOnWay,
  { views: { warm } }: TraversalResult,
): readonly NoticeRow[] {
  const name = plain(zone);
  return [
    ...(denial === undefined
      ? [
          unknown(
            `no reply has the SOA record of ${name}, so the negative TTL is unknown: add --check, or look up a name that does not exist`,
          ),
        ]
      : []),
    ...(own === undefined && warm === undefined
      ? [
          unknown(
            `the NS records in ${name} itself were not asked for, so a move may take longer: add warm to --views`,
          ),
        ]
      : []),
  ];
}

function unknown(message: string): NoticeRow {
  return { kind: 'unknown', message: sentence(message) };
}
