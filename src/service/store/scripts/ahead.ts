import type { StoreScript } from '../connection/script.ts';
import { JOB_LUA } from './lua.ts';
import { numberIn, textIn } from './reply.ts';

/**
 * How many jobs start before one that waits, unless more come; undefined if it does not wait, or is just being put into the queue. What is
 * in line goes after all that is in the queue, and as many of every other party go before it as of its own. Arguments: what
 * the keys of the queue begin with.
 */
export const AHEAD: StoreScript<number | undefined> = {
  name: 'svcAhead',
  keys: 0,
  lua: `${JOB_LUA}
local queue, party = ARGV[3], field('party')
if not party then return '' end
local first = redis.call('LLEN', queue .. 'wait')
local rank = redis.call('ZRANK', queue .. 'prioritized', id)
if rank then return first + rank end
local place = redis.call('ZRANK', prefix .. ':line:' .. party, id)
if not place then return '' end
local ahead = first + redis.call('ZCARD', queue .. 'prioritized') + place
for _, other in ipairs(redis.call('SMEMBERS', prefix .. ':lines')) do
  if other ~= party then ahead = ahead + math.min(place, redis.call('ZCARD', prefix .. ':line:' .. other)) end
end
return ahead
`,
  read: (reply) => (textIn(reply) === '' ? undefined : numberIn(reply)),
};
