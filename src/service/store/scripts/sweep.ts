import type { StoreScript } from '../connection/script.ts';
import { listIn, textIn } from './reply.ts';

/**
 * Finds accepted jobs that no longer wait in the queue though they should: an instance died between the two. One instance looks
 * at a time. What is counted but no longer kept is counted no more. Arguments: what all keys begin with, what
 * those of the queue begin with, for how many milliseconds a job must have been there, and how often to look.
 */
export const SWEEP: StoreScript<readonly string[]> = {
  name: 'svcSweep',
  keys: 0,
  lua: `
local prefix, queue = ARGV[1], ARGV[2]
if not redis.call('SET', prefix .. ':sweep', '', 'NX', 'PX', ARGV[4]) then return {} end
local time = redis.call('TIME')
local before = time[1] * 1000 - tonumber(ARGV[3])
local lost = {}
for _, state in ipairs({'waiting', 'running'}) do
  local all = prefix .. ':' .. state
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', all, '-inf', before, 'LIMIT', 0, 500)) do
    if redis.call('EXISTS', prefix .. ':job:' .. id) == 0 then redis.call('ZREM', all, id)
    elseif redis.call('EXISTS', queue .. id) == 0 then lost[#lost + 1] = id end
  end
end
return lost
`,
  read: (reply) => listIn(reply).map(textIn),
};
