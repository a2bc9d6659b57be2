import type { StoreScript } from '../connection/script.ts';
import { FINISH_LUA, JOB_LUA } from './lua.ts';
import { listIn, numberIn, wordIn } from './reply.ts';
import { type JobTurn, TURNS_LUA, turnsIn } from './turns.ts';

/** What became of an end that was to be stored. */
export type EndKept =
  /** Now, or when the same was asked for before. `crowdedOut`: how many had to go for it; `turns`: whose turn it is by that. */
  | { readonly kind: 'kept'; readonly crowdedOut: number; readonly turns: readonly JobTurn[] }
  /** Other events are stored than was thought: the last has this id. */
  | { readonly kind: 'elsewhere'; readonly last: number }
  /** The job is another's by now, or over. */
  | { readonly kind: 'lost' };

/**
 * Stores the end of a job: its last events, how it ended and its result, all at once. Whoever is not sure that it was
 * done may do it again. Arguments: term, the ids of the event before those that are left and of the last, their octets, exchanges, status, ended, how long, how many and
 * how many octets to retain, who is to announce it or nobody, how many of a party may run, how long to keep those that wait,
 * and the chunks of the result.
 */
export const END: StoreScript<EndKept> = {
  name: 'svcEnd',
  keys: 0,
  lua: `${JOB_LUA}${FINISH_LUA}${TURNS_LUA}
local term, after, last, octets = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if field('term') ~= term then return {'lost'} end
local status = field('status')
if is_over(status) then return {'kept', 0, {}} end
if status ~= 'running' then return {'lost'} end
if field('last') ~= after then return {'elsewhere', field('last')} end
if octets ~= '' then redis.call('XADD', job .. ':events', last .. '-0', 'o', octets) end
redis.call('HSET', job, 'last', last, 'exchanges', ARGV[7], 'pending', 0)
for at = 16, #ARGV do redis.call('RPUSH', job .. ':result', ARGV[at]) end
if ARGV[13] ~= '' then owe(ARGV[13]) end
local dropped = finish(ARGV[8], ARGV[9], tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12]))
return {'kept', dropped, turns(field('party'), ARGV[14], tonumber(ARGV[15]))}
`,
  read: (reply) => {
    const [word, crowdedOut, turns] = listIn(reply);
    const kind = wordIn(word, ['kept', 'elsewhere', 'lost']);
    if (kind === 'elsewhere') return { kind, last: numberIn(crowdedOut) };
    return kind === 'kept' ? { kind, crowdedOut: numberIn(crowdedOut), turns: turnsIn(turns) } : { kind };
  },
};
