import type { StoreScript } from '../connection/script.ts';
import { JOB_LUA } from './lua.ts';
import { listIn, numberIn, textIn, wordIn } from './reply.ts';

/** What became of events that were to be stored. */
export type Appended =
  | { readonly kind: 'kept'; readonly followers: number; readonly wish: 'run' | 'cancel' }
  /** Others are stored than was thought: the last has this id. */
  | { readonly kind: 'elsewhere'; readonly last: number }
  /** The job is another's by now, or over. */
  | { readonly kind: 'lost' };

/**
 * Stores some events of a running job. Arguments: term, the ids of the event before them and of the last, octets, exchanges,
 * pending, attempts, how long to keep.
 */
export const APPEND: StoreScript<Appended> = {
  name: 'svcAppend',
  keys: 0,
  lua: `${JOB_LUA}
local term, after, last, octets = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if field('term') ~= term or field('status') ~= 'running' then return {'lost'} end
if field('last') ~= after then return {'elsewhere', field('last')} end
redis.call('XADD', job .. ':events', last .. '-0', 'o', octets)
redis.call('PEXPIRE', job .. ':events', ARGV[10])
redis.call('HSET', job, 'last', last, 'exchanges', ARGV[7], 'pending', ARGV[8], 'attempts',
  math.max(tonumber(field('attempts')), tonumber(ARGV[9])))
return {'kept', news(), field('cancel') or ''}
`,
  read: (reply) => {
    const [word, followers, cancel] = listIn(reply);
    const kind = wordIn(word, ['kept', 'elsewhere', 'lost']);
    if (kind === 'lost') return { kind };
    if (kind === 'elsewhere') return { kind, last: numberIn(followers) };
    return { kind, followers: numberIn(followers), wish: textIn(cancel) === '' ? 'run' : 'cancel' };
  },
};
