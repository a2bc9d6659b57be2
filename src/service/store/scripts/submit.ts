import type { StoreScript } from '../connection/script.ts';
import { JOB_LUA } from './lua.ts';
import { listIn, wordIn } from './reply.ts';
import { type JobTurn, TURNS_LUA, turnsIn } from './turns.ts';

/** What became of a job that was to be accepted. */
export type Accepted =
  /** \`turns\`: whose turn it is by that, mostly its own. */
  | { readonly kind: 'accepted'; readonly turns: readonly JobTurn[] }
  | { readonly kind: 'queue-full' | 'client-queue-full' };

/**
 * Accepts a job unless too many wait, of all or of its party. What has room here at once, and may run, need not wait, so
 * that much more is accepted. Arguments: party, accepted, most that may wait, most of a party that may wait and that may
 * run, room, how long to keep.
 */
export const SUBMIT: StoreScript<Accepted> = {
  name: 'svcSubmit',
  keys: 0,
  lua: `${JOB_LUA}${TURNS_LUA}
local party, accepted, keep = ARGV[3], ARGV[4], tonumber(ARGV[9])
local most, most_own, most_running = tonumber(ARGV[5]), most_of(party, ARGV[6]), most_of(party, ARGV[7])
local function count(state) return redis.call('ZCARD', prefix .. ':' .. state) end
tidy(party, keep)
local room = math.max(0, math.min(tonumber(ARGV[8]), most_running - count('running:' .. party)))
if count('line') + count('waiting') >= most + room then return {'queue-full'} end
local own = count('line:' .. party) + count('waiting:' .. party)
if own >= most_own + room then return {'client-queue-full'} end
redis.call('HSET', job, 'accepted', accepted, 'party', party, 'status', 'queued', 'attempts', 0, 'last', 0)
redis.call('PEXPIRE', job, keep)
enter('line', party, keep)
return {'accepted', turns(party, ARGV[7], keep)}
`,
  read: (reply) => {
    const [word, turns] = listIn(reply);
    const kind = wordIn(word, ['accepted', 'queue-full', 'client-queue-full']);
    return kind === 'accepted' ? { kind, turns: turnsIn(turns) } : { kind };
  },
};
