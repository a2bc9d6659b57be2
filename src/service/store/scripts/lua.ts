/**
 * What all scripts about one job begin with. The first arguments are what all keys begin with and the job's identifier.
 *
 * A job is a hash: `accepted` or, later, `ended` tell what it is as JSON, `status` and `attempts` are those of svc-api(5),
 * `last` is the id of its last event, `firstStartedAt` is when its traversal first began, whoever ran it, and `holder` is
 * the instance that runs it. Each claim has a `term` of its own, and what an instance writes in a term that is over is
 * refused. Sets sorted by time have the jobs that are in line, that are waiting, and that are running, all together and by
 * party, and those that are retained. In line are those that wait for another of their party to end; those that are waiting
 * are in the queue, or about to be put there.
 */
export const JOB_LUA = `
local prefix, id = ARGV[1], ARGV[2]
local job = prefix .. ':job:' .. id
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + time[2] / 1000
end
local function field(name) return redis.call('HGET', job, name) end
local function enter(state, party, keep)
  redis.call('ZADD', prefix .. ':' .. state, now(), id)
  redis.call('ZADD', prefix .. ':' .. state .. ':' .. party, now(), id)
  redis.call('PEXPIRE', prefix .. ':' .. state .. ':' .. party, keep)
end
local function leave(state, party)
  redis.call('ZREM', prefix .. ':' .. state, id)
  redis.call('ZREM', prefix .. ':' .. state .. ':' .. party, id)
end
local function news() return redis.call('PUBLISH', prefix .. ':news:' .. id, '') end
local function is_alive(instance)
  return instance and redis.call('EXISTS', prefix .. ':pulse:' .. instance) == 1
end
local function is_over(status) return status == 'complete' or status == 'failed' or status == 'cancelled' end
`;

/**
 * Ends a job, makes room among those that are retained, by number and by the memory that they take in the store, and tells who follows it.
 * The one that ended last stays, whatever its size. `owe` notes who is to announce the end.
 */
export const FINISH_LUA = `
local function forget(old)
  local key = prefix .. ':job:' .. old
  redis.call('UNLINK', key, key .. ':events', key .. ':result', key .. ':servers')
end
local retained, sizes, total = prefix .. ':retained', prefix .. ':retained:sizes', prefix .. ':retained:total'
local function discount(old)
  redis.call('DECRBY', total, redis.call('HGET', sizes, old) or 0)
  redis.call('HDEL', sizes, old)
  redis.call('ZREM', retained, old)
end
local function make_room(most, most_octets)
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', retained, '-inf', now(), 'LIMIT', 0, 500)) do discount(old) end
  local dropped = 0
  while dropped < 100 do
    local count = redis.call('ZCARD', retained)
    if count < 2 or count <= most and tonumber(redis.call('GET', total)) <= most_octets then return dropped end
    local old = redis.call('ZRANGE', retained, 0, 0)[1]
    forget(old)
    discount(old)
    dropped = dropped + 1
  end
  return dropped
end
local function owe(announcer)
  redis.call('HSET', job, 'announcer', announcer)
  redis.call('ZADD', prefix .. ':owed', now(), id)
end
local function finish(status, ended, retain, most, most_octets)
  local party, size = field('party'), 0
  leave('line', party)
  leave('waiting', party)
  leave('running', party)
  redis.call('HSET', job, 'status', status, 'ended', ended)
  redis.call('HDEL', job, 'accepted', 'cancel')
  for _, part in ipairs({'', ':events', ':result'}) do
    redis.call('PEXPIRE', job .. part, retain)
    size = size + (redis.call('MEMORY', 'USAGE', job .. part) or 0)
  end
  redis.call('ZADD', retained, now() + retain, id)
  redis.call('HSET', sizes, id, size)
  redis.call('INCRBY', total, size)
  for _, key in ipairs({retained, sizes, total}) do redis.call('PEXPIRE', key, retain + 3600000) end
  local dropped = make_room(most, most_octets)
  news()
  return dropped
end
`;
