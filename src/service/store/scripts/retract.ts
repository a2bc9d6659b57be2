import type { StoreScript } from '../connection/script.ts';
import { JOB_LUA } from './lua.ts';
import { wordIn } from './reply.ts';

/** Takes back a job that was accepted but could not be put into the queue, unless somebody has begun it. */
export const RETRACT: StoreScript<'retracted' | 'begun'> = {
  name: 'svcRetract',
  keys: 0,
  lua: `${JOB_LUA}
if field('status') ~= 'queued' then return 'begun' end
local party = field('party')
leave('line', party)
leave('waiting', party)
redis.call('UNLINK', job)
return 'retracted'
`,
  read: (reply) => wordIn(reply, ['retracted', 'begun']),
};
