import type { StoreScript } from '../connection/script.ts';
import { JOB_LUA } from './lua.ts';
import { listIn, numberIn, wordIn } from './reply.ts';

/** What became of a job that was to be accepted. */
export type Accepted =
  /** How many of its party there are, waiting and running, with this one. */
  | { readonly kind: 'accepted'; readonly ofParty: number }
  | { readonly kind: 'queue-full' | 'client-queue-full' };

/**
 * Accepts a job unless too many wait, of all or of its party. What has room here at once need not wait, so that
 * much more is accepted. Arguments: party, accepted, most that may wait, most of the party or -1, room, how long to keep.
 */
export const SUBMIT: StoreScript<Accepted> = {
  name: 'svcSubmit',
  keys: 0,
  lua: `${JOB_LUA}
local party, accepted, keep = ARGV[3], ARGV[4], tonumber(ARGV[8])
local most, most_own, room = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local waiting, running = prefix .. ':waiting:' .. party, prefix .. ':running:' .. party
redis.call('ZREMRANGEBYSCORE', waiting, '-inf', now() - keep)
redis.call('ZREMRANGEBYSCORE', running, '-inf', now() - keep)
local own = redis.call('ZCARD', waiting)
if redis.call('ZCARD', prefix .. ':waiting') >= most + room then return {'queue-full'} end
if most_own >= 0 and own >= most_own + room then return {'client-queue-full'} end
redis.call('HSET', job, 'accepted', accepted, 'party', party, 'status', 'queued', 'attempts', 0, 'last', 0)
redis.call('PEXPIRE', job, keep)
enter('waiting', party, keep)
return {'accepted', own + 1 + redis.call('ZCARD', running)}
`,
  read: (reply) => {
    const [word, ofParty] = listIn(reply);
    const kind = wordIn(word, ['accepted', 'queue-full', 'client-queue-full']);
    return kind === 'accepted' ? { kind, ofParty: numberIn(ofParty) } : { kind };
  },
};
