import type { StoreScript } from '../connection/script.ts';
import { JOB_LUA } from './lua.ts';
import { wordIn } from './reply.ts';

/**
 * Makes an instance the one that asks the servers of an ended job what they are, if whoever was to do it is no more. Arguments: instance.
 */
export const ADOPT: StoreScript<'adopted' | 'not-needed'> = {
  name: 'svcAdopt',
  keys: 0,
  lua: `${JOB_LUA}
local status, holder = field('status'), field('holder')
if not status or not is_over(status) or is_alive(holder) then return 'not-needed' end
if redis.call('EXISTS', job .. ':servers') == 1 then return 'not-needed' end
redis.call('HSET', job, 'holder', ARGV[3])
return 'adopted'
`,
  read: (reply) => wordIn(reply, ['adopted', 'not-needed']),
};
