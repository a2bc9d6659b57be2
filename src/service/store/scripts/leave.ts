import type { StoreScript } from '../connection/script.ts';
import { JOB_LUA } from './lua.ts';
import { wordIn } from './reply.ts';

/** Puts a job that an instance no longer runs back among those that wait. Arguments: term, attempts that count, how long to keep. */
export const LEAVE: StoreScript<'left' | 'lost'> = {
  name: 'svcLeave',
  keys: 0,
  lua: `${JOB_LUA}
if field('term') ~= ARGV[3] or field('status') ~= 'running' then return 'lost' end
local party = field('party')
redis.call('HSET', job, 'status', 'queued', 'attempts', ARGV[4], 'pending', 0)
redis.call('HDEL', job, 'holder', 'startedAt')
leave('running', party)
enter('waiting', party, ARGV[5])
news()
return 'left'
`,
  read: (reply) => wordIn(reply, ['left', 'lost']),
};
