import {
  type ClientLimiter,
  describeRateLimit,
  MOST_CLIENTS,
  type RateLimit,
  type Taken,
} from '../rate-limit.ts';
import type { StoreConnection } from './connection/connect.ts';
import { runScript, type StoreScript, storeKey } from './connection/script.ts';
import { isStoreTrouble } from './connection/trouble.ts';

/** Settings that have defaults. */
interface StoreLimiterOptions {
  /** The maximum number of buckets kept. */
  readonly mostClients?: number;
  /** Microseconds of some clock; absent: the store's own. */
  readonly now?: () => bigint;
}

const US_PER_SECOND = 1_000_000;

/**
 * The rate limit of all instances together: one token bucket per client, in the store. While the store is
 * away, `local` decides.
 */
export function createStoreLimiter(
  limit: RateLimit,
  connection: Pick<StoreConnection, 'commands' | 'state'>,
  local: ClientLimiter,
  { mostClients = MOST_CLIENTS, now }: StoreLimiterOptions = {},
): ClientLimiter {
  const { token, spare, denominator } = tokenParts(limit);
  const text = describeRateLimit(limit);
  // Instances with other limits reckon in other parts.
  const of = `${limit.requests}/${limit.window}`;
  const keys = [storeKey('buckets', of), storeKey('buckets', of, 'beyond')];
  const reckoning = [token.us, token.parts, spare.us, spare.parts, denominator].map(String);
  const draw = async (client: string): Promise<Taken> => {
    const args = [...keys, client, ...reckoning, mostClients, now === undefined ? '' : `${now()}`];
    const missingUs = await runScript(connection.commands, DRAW_SCRIPT, args);
    if (missingUs === 0) return { kind: 'allowed' };
    return { kind: 'refused', retryAfterSeconds: Math.ceil(missingUs / US_PER_SECOND), text };
  };
  return {
    clients: undefined,
    take: (client) => {
      // One that hangs would be waited for.
      if (connection.state.kind === 'degraded') return local.take(client);
      return draw(client).catch((error: unknown) => {
        if (isStoreTrouble(error)) return local.take(client);
        throw error;
      });
    },
  };
}

/**
 * A length of time as scripts reckon with it, who only have doubles: whole microseconds, and a number of
 * parts of one, each `1/denominator`. Both are below 2^53, so sums are exact.
 */
interface Span {
  readonly us: bigint;
  readonly parts: bigint;
}

/** A limit as scripts reckon with it. */
interface TokenParts {
  /** How long one token takes to come back. */
  readonly token: Span;
  /** The most that may be missing from a bucket which still holds a whole token. */
  readonly spare: Span;
  readonly denominator: bigint;
}

/** Sums of two numbers of parts stay exact in a double. */
const MOST_PARTS = 2n ** 52n;

const NS_PER_US = 1_000n;

/**
 * Takes a limit apart. Only for limits of more than about four million million requests is the token
 * rounded, upwards: they allow that much less.
 */
export function tokenParts({ requests, window }: RateLimit): TokenParts {
  const common = greatestCommonDivisor(window, requests * NS_PER_US);
  const exact = { token: window / common, denominator: (requests * NS_PER_US) / common };
  const { token, denominator } = exact.denominator <= MOST_PARTS ? exact : rounded(exact);
  const spare = token * (requests - 1n);
  return { token: spanOf(token, denominator), spare: spanOf(spare, denominator), denominator };
}

function rounded({ token, denominator }: { readonly token: bigint; readonly denominator: bigint }) {
  return { token: (token * MOST_PARTS + denominator - 1n) / denominator, denominator: MOST_PARTS };
}

function spanOf(parts: bigint, denominator: bigint): Span {
  return { us: parts / denominator, parts: parts % denominator };
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b > 0n) [a, b] = [b, a % b];
  return a;
}

/**
 * Takes a token from one client's bucket, as `draw` in `clients/` does it: a bucket is the moment at which
 * it will be full again, here by the store's clock. The reply is how many microseconds are missing until
 * there is a whole token, rounded up; 0 if one was taken.
 *
 * KEYS: buckets, a sorted set of clients by the whole microseconds of that moment; and a hash of the parts
 * of a microsecond beyond these, for clients that have any. ARGV: the client; what a token takes in
 * microseconds and parts; what may be missing, in the same; parts to a microsecond; the most clients; and
 * when it is, in microseconds (empty: now).
 *
 * Full buckets are dropped as others are made, and a client too many replaces the one whose bucket is
 * closest to full.
 */
const DRAW_SCRIPT: StoreScript<number> = {
  name: 'svcDraw',
  keys: 2,
  lua: `
local buckets, beyond = KEYS[1], KEYS[2]
local client = ARGV[1]
local tokenUs, tokenParts = tonumber(ARGV[2]), tonumber(ARGV[3])
local spareUs, spareParts = tonumber(ARGV[4]), tonumber(ARGV[5])
local denominator, most = tonumber(ARGV[6]), tonumber(ARGV[7])
local time = redis.call('TIME')
local now = tonumber(ARGV[8]) or time[1] * 1000000 + time[2]

local function whole(number) return string.format('%.0f', number) end

local function forget(clients)
  if #clients == 0 then return end
  redis.call('ZREM', buckets, unpack(clients))
  redis.call('HDEL', beyond, unpack(clients))
end

local full = tonumber(redis.call('ZSCORE', buckets, client) or now)
local parts = tonumber(redis.call('HGET', beyond, client) or 0)
if full < now then full, parts = now, 0 end
local missing = full - now
if missing > spareUs or (missing == spareUs and parts > spareParts) then
  if parts > spareParts then return missing - spareUs + 1 end
  return missing - spareUs
end

full, parts = full + tokenUs, parts + tokenParts
if parts >= denominator then full, parts = full + 1, parts - denominator end
redis.call('ZADD', buckets, whole(full), client)
if parts > 0 then redis.call('HSET', beyond, client, whole(parts)) else redis.call('HDEL', beyond, client) end
forget(redis.call('ZRANGEBYSCORE', buckets, '-inf', '(' .. whole(now), 'LIMIT', 0, 100))
if redis.call('ZCARD', buckets) > most then forget({ redis.call('ZPOPMIN', buckets)[1] }) end
local untilAllFull = math.ceil((spareUs + tokenUs) / 1000) + 1000
redis.call('PEXPIRE', buckets, untilAllFull)
redis.call('PEXPIRE', beyond, untilAllFull)
return 0
`,
  read: (reply) => {
    if (typeof reply !== 'number') throw new Error('a draw gives a number');
    return reply;
  },
};
