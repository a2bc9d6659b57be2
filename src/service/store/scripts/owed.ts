import type { StoreScript } from '../connection/script.ts';
import { listIn, textIn } from './reply.ts';

/**
 * Gives an instance the jobs whose ends are to be announced by instances that are no more. Arguments: what all keys begin with, the
 * instance, and for how many milliseconds the end must have been there.
 */
export const OWED: StoreScript<readonly string[]> = {
  name: 'svcOwed',
  keys: 0,
  lua: `
local prefix, owed, time = ARGV[1], ARGV[1] .. ':owed', redis.call('TIME')
local now, mine = time[1] * 1000 + math.floor(time[2] / 1000), {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', owed, '-inf', now - tonumber(ARGV[3]), 'LIMIT', 0, 100)) do
  local announcer = redis.call('HGET', prefix .. ':job:' .. id, 'announcer')
  if not announcer then redis.call('ZREM', owed, id)
  elseif redis.call('EXISTS', prefix .. ':pulse:' .. announcer) == 0 then
    redis.call('HSET', prefix .. ':job:' .. id, 'announcer', ARGV[2])
    redis.call('ZADD', owed, now, id)
    mine[#mine + 1] = id
  else redis.call('ZADD', owed, now, id) end
end
return mine
`,
  read: (reply) => listIn(reply).map(textIn),
};
