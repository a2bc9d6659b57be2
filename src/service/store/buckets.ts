/* The rate limit of clients over all instances: token buckets in the store. */

import { type ClientLimiter, describeRateLimit, type RateLimit, type Taken } from '../rate-limit.ts';
import type { Database } from './database.ts';
import { isStoreTrouble } from './trouble.ts';

/**
 * The rate limit of all instances together: one token bucket per client, in the store. While the store is away, `local`
 * decides.
 */
export function createBucketLimiter(
  limit: RateLimit,
  database: Pick<Database, 'query' | 'state'>,
  local: ClientLimiter,
): ClientLimiter {
  const rate = bucketRate(limit);
  let drawn = 0;
  const draw = async (client: string): Promise<Taken> => {
    if (drawn % DRAWS_TO_FORGET === 0) await forgetFullBuckets(database);
    drawn += 1;
    return await drawToken(database, client, rate);
  };
  return {
    clients: undefined,
    take: (client) => {
      if (database.state.kind !== 'ok') return local.take(client);
      return draw(client).catch((error: unknown) => {
        if (isStoreTrouble(error)) return local.take(client);
        throw error;
      });
    },
  };
}

/** A limit as the store reckons with it: in whole microseconds, the resolution of its clock. */
interface BucketRate {
  /** How long one token takes to come back. */
  readonly tokenUs: bigint;
  /** The most that may be missing from a bucket which still holds a whole token. */
  readonly spareUs: bigint;
  /** In words: "30 requests per 1h0m0s". Instances with other limits have other buckets. */
  readonly text: string;
}

const NS_PER_US = 1_000n;

/** A hundred years: PostgreSQL counts the microseconds of an interval in a double, which is exact so far. */
const MOST_US = 3_155_760_000_000_000n;

/** A token of a fraction of a microsecond takes a whole one: never more than the limit. */
export function bucketRate(limit: RateLimit): BucketRate {
  const ns = (limit.window + limit.requests - 1n) / limit.requests;
  const tokenUs = least((ns + NS_PER_US - 1n) / NS_PER_US, MOST_US);
  const spareUs = least(tokenUs * (limit.requests - 1n), MOST_US);
  return { tokenUs, spareUs, text: describeRateLimit(limit) };
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/**
 * Takes a token. A bucket is the moment at which it will be full again: since tokens come back evenly, the time alone says how
 * many are missing. A bucket that lacks more than it holds comes from a clock that was put back, and counts as full.
 *
 * $1: client, $2: rate, $3: microseconds of a token, $4: the most that may be missing from a bucket which holds a token.
 */
const DRAW = `
  WITH drawn AS (
    INSERT INTO svc_bucket AS bucket (client, rate, full_at)
    VALUES ($1, $2, clock_timestamp() + $3::float8 * interval '1 microsecond')
    ON CONFLICT (client, rate) DO UPDATE SET full_at = $3::float8 * interval '1 microsecond' + CASE
      WHEN bucket.full_at BETWEEN clock_timestamp() AND clock_timestamp() + ($3::float8 + $4::float8) * interval '1 microsecond'
      THEN bucket.full_at ELSE clock_timestamp() END
    WHERE bucket.full_at <= clock_timestamp() + $4::float8 * interval '1 microsecond'
      OR bucket.full_at > clock_timestamp() + ($3::float8 + $4::float8) * interval '1 microsecond'
    RETURNING full_at
  )
  SELECT EXISTS (SELECT FROM drawn) AS allowed, coalesce((
    SELECT ceil(extract(epoch FROM full_at - clock_timestamp() - $4::float8 * interval '1 microsecond'))::float8
    FROM svc_bucket WHERE client = $1 AND rate = $2), 1) AS missing`;

interface Drawn {
  readonly allowed: boolean;
  /** Whole seconds until a token is back; another request may have taken it. */
  readonly missing: number;
}

/** Takes a token from the client's bucket, if it holds a whole one, by the store's clock. */
export async function drawToken(
  { query }: Pick<Database, 'query'>,
  client: string,
  { tokenUs, spareUs, text }: BucketRate,
): Promise<Taken> {
  const [drawn] = await query<Drawn>(DRAW, [client, text, tokenUs, spareUs]);
  if (drawn === undefined) throw new Error('the store says whether a token was there');
  if (drawn.allowed) return { kind: 'allowed' };
  return { kind: 'refused', retryAfterSeconds: Math.max(1, drawn.missing), text };
}

/** How many requests pass between two searches for full buckets: fewer than one search deletes. */
const DRAWS_TO_FORGET = 500;

const FORGET_FULL = `
  DELETE FROM svc_bucket WHERE (client, rate) IN (
    SELECT client, rate FROM svc_bucket WHERE full_at < clock_timestamp()
    ORDER BY client, rate LIMIT 1000 FOR UPDATE SKIP LOCKED)`;

/** Deletes buckets that are full: a client without a bucket has a full one. */
export async function forgetFullBuckets({ query }: Pick<Database, 'query'>): Promise<void> {
  await query(FORGET_FULL);
}
