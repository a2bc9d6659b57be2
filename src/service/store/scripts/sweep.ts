import type { StoreScript } from '../connection/script.ts';
import { type JobTurn, TURNS_LUA, turnsIn } from './turns.ts';

/**
 * Finds accepted jobs that are not in the queue though they should be: an instance died before it had put them there. One instance
 * looks at a time. Parties get what is free of their bounds, and what is counted but no longer kept is counted no more.
 * Arguments: what all keys begin with, what those of the queue begin with, for how many milliseconds a job must have been
 * there, how often to look, how many of a party may run, and how long to keep those that wait.
 */
export const SWEEP: StoreScript<readonly JobTurn[]> = {
  name: 'svcSweep',
  keys: 0,
  lua: `
local prefix, queue = ARGV[1], ARGV[2]
if not redis.call('SET', prefix .. ':sweep', '', 'NX', 'PX', ARGV[4]) then return {} end
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + time[2] / 1000
end
${TURNS_LUA}
local before, lost = now() - tonumber(ARGV[3]), {}
for _, state in ipairs({'line', 'waiting', 'running'}) do
  local all = prefix .. ':' .. state
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', all, '-inf', before, 'LIMIT', 0, 500)) do
    if redis.call('EXISTS', prefix .. ':job:' .. id) == 0 then redis.call('ZREM', all, id)
    elseif state ~= 'line' and redis.call('EXISTS', queue .. id) == 0 then lost[#lost + 1] = {id, 1} end
  end
end
for _, party in ipairs(redis.call('SRANDMEMBER', prefix .. ':lines', 500)) do
  for _, turn in ipairs(turns(party, ARGV[5], tonumber(ARGV[6]))) do lost[#lost + 1] = turn end
end
return lost
`,
  read: turnsIn,
};
