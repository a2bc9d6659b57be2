import type { StoreScript } from './connection/script.ts';

/** What the store grants an instance. */
export interface LeaseReply {
  /** Whether the store did not know the instance, or knew it no more. */
  readonly membership: 'new' | 'known';
  /** How many instances there are. */
  readonly instances: number;
  /** Turns in a second, for each place that was asked for, in that order. */
  readonly turns: readonly number[];
}

/**
 * Says that an instance is there, and leases it turns in a second at places (addresses, prefixes, or
 * everywhere).
 *
 * What is leased at a place is never more than its pool, and a lease counts until the last packet that it allowed is
 * a second old: when one becomes smaller, or is not renewed, the rest is free only then. If another
 * instance lacks turns, none keeps more than its fair part.
 *
 * KEYS: the instances, a sorted set by the moment at which they count as gone; then the places, hashes
 * from instance to "turns wanted until before beforeUntil". ARGV: the instance; milliseconds that a lease
 * lasts, that a packet counts, and after which an instance that says nothing is gone; then for each place
 * its pool and how many turns are wanted. Every key expires by itself.
 */
export const LEASE_SCRIPT: StoreScript<LeaseReply> = {
  name: 'svcLease',
  keys: 'told',
  lua: `
local me, leaseMs, packetMs, goneMs = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function read(lease)
  local turns, wanted, till, before, beforeTill = string.match(lease, '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
  return {
    turns = tonumber(turns), wanted = tonumber(wanted), till = tonumber(till),
    before = tonumber(before), beforeTill = tonumber(beforeTill),
  }
end

local function counts(lease)
  local most = 0
  if lease.till + packetMs > now then most = lease.turns end
  if lease.beforeTill > now then most = math.max(most, lease.before) end
  return most
end

local function lookAt(key)
  local seen = { held = 0, asking = 1, lacking = false }
  local leases = redis.call('HGETALL', key)
  for i = 1, #leases, 2 do
    local whose, lease = leases[i], read(leases[i + 1])
    if whose == me then
      seen.mine = lease
    elseif lease.till + packetMs <= now and lease.beforeTill <= now then
      redis.call('HDEL', key, whose)
    else
      seen.held = seen.held + counts(lease)
      if lease.till > now and lease.wanted > 0 then
        seen.asking = seen.asking + 1
        seen.lacking = seen.lacking or lease.wanted > lease.turns
      end
    end
  end
  return seen
end

local function grant(key, pool, wanted)
  local seen = lookAt(key)
  local mine = seen.mine or { turns = 0, till = 0, before = 0, beforeTill = 0 }
  local turns = wanted
  if seen.lacking then
    local fair = math.floor(pool / seen.asking)
    -- Where there are not enough for all to have one, whoever had one lets others.
    if fair == 0 and (mine.turns == 0 or mine.till <= now) then fair = 1 end
    turns = math.min(turns, fair)
  end
  turns = math.max(0, math.min(turns, pool - seen.held))
  local before, beforeTill = 0, 0
  if mine.turns > turns and mine.till + packetMs > now then
    before, beforeTill = mine.turns, mine.till + packetMs
  end
  if mine.before > turns and mine.beforeTill > now then
    before, beforeTill = math.max(before, mine.before), math.max(beforeTill, mine.beforeTill)
  end
  if wanted == 0 and beforeTill == 0 then
    redis.call('HDEL', key, me)
  else
    local lease = string.format('%d %d %.0f %d %.0f', turns, wanted, now + leaseMs, before, beforeTill)
    redis.call('HSET', key, me, lease)
    redis.call('PEXPIRE', key, leaseMs + 2 * packetMs)
  end
  return turns
end

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
local new = redis.call('ZADD', KEYS[1], string.format('%.0f', now + goneMs), me)
redis.call('PEXPIRE', KEYS[1], goneMs)
local reply = { new, redis.call('ZCARD', KEYS[1]) }
for place = 2, #KEYS do
  reply[place + 1] = grant(KEYS[place], tonumber(ARGV[2 * place + 1]), tonumber(ARGV[2 * place + 2]))
end
return reply
`,
  read: (reply) => {
    const [isNew, instances, ...turns] = numbersIn(reply);
    if (instances === undefined) throw new Error('a lease says how many instances there are');
    return { membership: isNew === 1 ? 'new' : 'known', instances, turns };
  },
};

function numbersIn(reply: unknown): readonly number[] {
  if (!Array.isArray(reply)) throw new Error('a lease gives a list');
  return reply.map((each: unknown) => {
    if (typeof each !== 'number') throw new Error('a lease gives numbers');
    return each;
  });
}
