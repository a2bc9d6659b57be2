import type { StoreScript } from '../connection/script.ts';
import { FINISH_LUA, JOB_LUA } from './lua.ts';
import { wordIn } from './reply.ts';

/** What became of a wish to cancel: the job waited and has ended by that, it runs and its instance is told, or it was over. */
export type Cancelled = 'ended' | 'told' | 'over';

/** Cancels a job. Arguments: ended, for a job that waits; how long, how many and how many octets to retain. */
export const CANCEL_JOB: StoreScript<Cancelled> = {
  name: 'svcCancel',
  keys: 0,
  lua: `${JOB_LUA}${FINISH_LUA}
local status = field('status')
if not status or is_over(status) then return 'over' end
if status == 'running' then
  redis.call('HSET', job, 'cancel', 1)
  redis.call('PUBLISH', prefix .. ':to:' .. field('holder'), 'cancel ' .. id)
  return 'told'
end
redis.call('HINCRBY', job, 'term', 1)
finish('cancelled', ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]))
return 'ended'
`,
  read: (reply) => wordIn(reply, ['ended', 'told', 'over']),
};
