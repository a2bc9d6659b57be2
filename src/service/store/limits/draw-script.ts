import type { StoreScript } from '../connection/script.ts';

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
export const DRAW_SCRIPT: StoreScript<number> = {
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
