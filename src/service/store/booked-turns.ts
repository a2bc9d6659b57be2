/* The statements by which instances share rates: turns at places (an address, a prefix, or all of the internet). */

import { SECOND_MS } from '../../exchange/allowance.ts';
import type { Database } from './database.ts';

type Queries = Pick<Database, 'query'>;

/** The turns that an instance wants at one place. */
export interface Wish {
  /** Unique among the places: `address:192.0.2.1`, `prefix:192.0.2.0/24`, `total`. */
  readonly place: string;
  /** The turns of the place in any one second. */
  readonly turns: number;
  /** How many of them are set aside for each instance that may send without a booking. */
  readonly aside: number;
  /** At least 1. */
  readonly wanted: number;
}

/** The turns that an instance was given at one place: maybe fewer than it wanted. */
interface Booking {
  readonly place: string;
  /** When each turn begins, in milliseconds from `at`; earliest first. */
  readonly starts: readonly number[];
  /** When the turns were booked, in milliseconds since 1970 by the store's clock. */
  readonly at: number;
}

/** A place whose next turn is further away gives none: nobody queues for turns that it may no longer want then. */
const AHEAD_MS = 1_000;

/** The longest that an instance may take to use a turn. */
export const MOST_WINDOW_MS = 1_000;

/**
 * After this time nothing of what was booked before counts any more: the last turn of a booking begins at most the time of a
 * turn after the first.
 */
export const SETTLE_MS = AHEAD_MS + 2 * (SECOND_MS + MOST_WINDOW_MS);

/** For how long an instance counts after it last said that it is there: it may be cut off, and still send. */
export const COUNTED_MS = 600_000;

/**
 * Books turns. A place with N turns a second keeps the ends of its turns, newest first; a turn lasts for the time in which it
 * may be used and a second. The next begins when fewer than N others last: now, or at the Nth newest end. No turn ends before
 * one that was booked earlier, so the list stays in order. The order of places keeps two bookings from waiting for each other.
 *
 * $1 to $4: place, turns, turns set aside and turns wanted, of each wish; $5: how long a turn lasts.
 */
const BOOK = `
  INSERT INTO svc_turn AS place (place, turns, booked_at, starts_at, ends_at)
  SELECT wish.place, room.turns, now, array_fill(now, ARRAY[room.wanted]), array_fill(now + lasting, ARRAY[room.wanted])
  FROM unnest($1::text[], $2::integer[], $3::integer[], $4::integer[]) AS wish (place, turns, aside, wanted),
    (SELECT clock_timestamp() AS now, $5 * interval '1 millisecond' AS lasting) AS clock,
    (SELECT count(*)::integer AS count FROM svc_sender WHERE until > clock_timestamp()) AS senders,
    LATERAL (SELECT wish.turns - aside * least(senders.count, wish.turns / (2 * aside)) AS turns) AS free,
    LATERAL (SELECT free.turns, least(wish.wanted, free.turns) AS wanted) AS room
  WHERE EXISTS (SELECT FROM svc_turn_start WHERE at < now - interval '${SETTLE_MS} milliseconds')
  ORDER BY wish.place
  ON CONFLICT (place) DO UPDATE SET
    turns = excluded.turns,
    booked_at = excluded.booked_at,
    starts_at = ARRAY(
      SELECT greatest(excluded.booked_at, place.ends_at[excluded.turns + 1 - turn])
      FROM generate_series(1, cardinality(excluded.ends_at)) AS turn ORDER BY turn),
    ends_at = ARRAY(
      SELECT greatest(
        excluded.ends_at[1],
        place.ends_at[excluded.turns + 1 - turn] + $5 * interval '1 millisecond',
        place.ends_at[1])
      FROM generate_series(1, cardinality(excluded.ends_at)) AS turn ORDER BY turn DESC
    ) || ARRAY(
      SELECT ending FROM unnest(place.ends_at) AS ending WHERE ending > excluded.booked_at ORDER BY ending DESC)
  WHERE coalesce(place.ends_at[excluded.turns] <= excluded.booked_at + interval '${AHEAD_MS} milliseconds', true)
  RETURNING place.place, extract(epoch FROM booked_at)::float8 * 1000 AS at,
    ARRAY(SELECT extract(epoch FROM start - booked_at)::float8 * 1000 FROM unnest(starts_at) AS start ORDER BY start) AS starts`;

/** Books turns that may be used for `windowMs` after they begin. Places that have none soon are missing in the reply. */
export async function bookTurns(
  { query }: Queries,
  wishes: readonly Wish[],
  windowMs: number,
): Promise<readonly Booking[]> {
  const columns = [
    wishes.map(({ place }) => place),
    wishes.map(({ turns }) => turns),
    wishes.map(({ aside }) => aside),
    wishes.map(({ wanted }) => wanted),
  ];
  return await query<Booking>(BOOK, [...columns, SECOND_MS + windowMs]);
}

/** The instances that share the rates, as one of them learns when it says that it is there. */
interface Senders {
  /** Those that may send, though they may be cut off. */
  readonly counted: number;
  /** Those that were there a moment ago. */
  readonly present: number;
  /** Whether every booking that counts was made by somebody who counted this instance. */
  readonly settled: boolean;
  /** Milliseconds since 1970 by the store's clock. */
  readonly at: number;
}

/** An instance that has said nothing for so long is not there. */
const PRESENT_MS = 15_000;

/**
 * Says that an instance is there. An empty `svc_turn` may have lost bookings, since it is not logged: a crash of the store or
 * a replica in its place empties it, and `svc_turn_start` with it, so nothing is booked until these no longer count. Moments
 * that are still to come are those of a clock that was put back.
 */
const JOIN = `
  WITH start AS (
    INSERT INTO svc_turn_start AS start DEFAULT VALUES
    ON CONFLICT (one) DO UPDATE SET at = excluded.at WHERE start.at > excluded.at
  )
  INSERT INTO svc_sender AS sender (instance, since, until)
  VALUES ($1, clock_timestamp(), clock_timestamp() + interval '${COUNTED_MS} milliseconds')
  ON CONFLICT (instance) DO UPDATE SET
    since = CASE WHEN excluded.since BETWEEN sender.since AND sender.until THEN sender.since ELSE excluded.since END,
    until = excluded.until
  RETURNING since < clock_timestamp() - interval '${SETTLE_MS} milliseconds' AS settled,
    extract(epoch FROM clock_timestamp())::float8 * 1000 AS at,
    (SELECT 1 + count(*)::integer FROM svc_sender
     WHERE instance <> $1 AND until > clock_timestamp()) AS counted,
    (SELECT 1 + count(*)::integer FROM svc_sender
     WHERE instance <> $1 AND until > clock_timestamp() + interval '${COUNTED_MS - PRESENT_MS} milliseconds') AS present`;

/** Says that an instance is there, and returns who else is. */
export async function joinSenders({ query }: Queries, instance: string): Promise<Senders> {
  const [senders] = await query<Senders>(JOIN, [instance]);
  if (senders === undefined) throw new Error('the store returns the row of an instance that joins');
  return senders;
}

/** Its last packets are that old when it no longer counts. */
const LEAVE = `
  UPDATE svc_sender SET until = least(until, clock_timestamp() + interval '2 seconds') WHERE instance = $1`;

/** Says that an instance sends nothing any more. */
export async function leaveSenders({ query }: Queries, instance: string): Promise<void> {
  await query(LEAVE, [instance]);
}

/** Also deletes rows that can only come from a clock that was put back: they would block their places until it gets there. */
const FORGET_TURNS = `
  DELETE FROM svc_turn WHERE place IN (
    SELECT place FROM svc_turn
    WHERE ends_at[1] < clock_timestamp() OR booked_at > clock_timestamp() + interval '1 minute'
    ORDER BY place LIMIT 1000 FOR UPDATE SKIP LOCKED)`;

const FORGET_SENDERS = `
  DELETE FROM svc_sender WHERE instance IN (
    SELECT instance FROM svc_sender WHERE until < clock_timestamp() - interval '1 hour'
    ORDER BY instance LIMIT 1000 FOR UPDATE SKIP LOCKED)`;

/** Deletes what no longer counts. */
export async function forgetTurns({ query }: Queries): Promise<void> {
  await query(FORGET_TURNS);
  await query(FORGET_SENDERS);
}
