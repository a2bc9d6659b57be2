import type { StoreScript } from '../connection/script.ts';
import { FINISH_LUA, JOB_LUA } from './lua.ts';
import { listIn, wordIn } from './reply.ts';
import { type JobTurn, TURNS_LUA, turnsIn } from './turns.ts';

/** What became of a wish to cancel. */
export type Cancelled =
  /** The job waited and has ended by that. `turns`: whose turn it is by that. */
  | { readonly kind: 'ended'; readonly turns: readonly JobTurn[] }
  /** It runs, and its instance is told. */
  | { readonly kind: 'told' }
  | { readonly kind: 'over' };

/**
 * Cancels a job. Arguments: ended, for a job that waits; how long, how many and how many octets to retain; how many of a
 * party may run, how long to keep those that wait, and who is to announce it or nobody.
 */
export const CANCEL_JOB: StoreScript<Cancelled> = {
  name: 'svcCancel',
  keys: 0,
  lua: `${JOB_LUA}${FINISH_LUA}${TURNS_LUA}
local status = field('status')
if not status or is_over(status) then return {'over'} end
if status == 'running' then
  redis.call('HSET', job, 'cancel', 1)
  redis.call('PUBLISH', prefix .. ':to:' .. field('holder'), 'cancel ' .. id)
  return {'told'}
end
redis.call('HINCRBY', job, 'term', 1)
if ARGV[9] ~= '' then owe(ARGV[9]) end
finish('cancelled', ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]))
return {'ended', turns(field('party'), ARGV[7], tonumber(ARGV[8]))}
`,
  read: (reply) => {
    const [word, turns] = listIn(reply);
    const kind = wordIn(word, ['ended', 'told', 'over']);
    return kind === 'ended' ? { kind, turns: turnsIn(turns) } : { kind };
  },
};
