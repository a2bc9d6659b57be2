import type { StoreScript } from '../connection/script.ts';
import { JOB_LUA } from './lua.ts';
import { wordIn } from './reply.ts';

/** Stores the server list of an ended job; the first one stays. Arguments: the list. */
export const KEEP_SERVERS: StoreScript<'kept' | 'gone'> = {
  name: 'svcKeepServers',
  keys: 0,
  lua: `${JOB_LUA}
local left = redis.call('PTTL', job)
if left <= 0 then return 'gone' end
if redis.call('SET', job .. ':servers', ARGV[3], 'PX', left, 'NX')
  and redis.call('HEXISTS', prefix .. ':retained:sizes', id) == 1 then
  redis.call('HINCRBY', prefix .. ':retained:sizes', id, #ARGV[3])
  redis.call('INCRBY', prefix .. ':retained:total', #ARGV[3])
end
news()
return 'kept'
`,
  read: (reply) => wordIn(reply, ['kept', 'gone']),
};
