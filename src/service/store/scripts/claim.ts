import type { StoreScript } from '../connection/script.ts';
import { JOB_LUA } from './lua.ts';
import { listIn, numberIn, textIn, wordIn } from './reply.ts';
import { TURNS_LUA } from './turns.ts';

/** What became of an instance's wish to run a job. */
export type JobClaim =
  | {
      readonly kind: 'claimed';
      /** As JSON. */
      readonly accepted: string;
      /** How often its traversal had begun before. */
      readonly attempts: number;
      /** The id of its last event. */
      readonly last: number;
      /** How many exchanges these tell of. */
      readonly exchanges: number;
      /** When its traversal first began before; empty if it never has. */
      readonly firstStartedAt: string;
      /** Under which the instance may write. */
      readonly term: number;
      readonly wish: 'run' | 'cancel';
    }
  /** Nothing is to be done for it: it has ended, or is no longer known. */
  | { readonly kind: 'over' }
  /** Another instance, which is alive, is still at it, or as many of its party run as may: there were more in the queue before the bound was lowered. */
  | { readonly kind: 'held' };

/**
 * Gives a job to an instance, with one attempt more. Whoever is not sure that it was done may do it again, with the same time of the
 * start. Arguments: instance, the time of the start, how long to keep, how many of a
 * party may run.
 */
export const CLAIM: StoreScript<JobClaim> = {
  name: 'svcClaim',
  keys: 0,
  lua: `${JOB_LUA}${TURNS_LUA}
local instance, started, keep = ARGV[3], ARGV[4], tonumber(ARGV[5])
local status, holder, party = field('status'), field('holder'), field('party')
if not status or is_over(status) then return {'over'} end
if status == 'running' and holder ~= instance and is_alive(holder) then return {'held'} end
local running = prefix .. ':running:' .. party
local others = redis.call('ZCARD', running) - (redis.call('ZSCORE', running, id) and 1 or 0)
if others >= most_of(party, ARGV[6]) then return {'held'} end
local is_again = status == 'running' and holder == instance and field('startedAt') == started
local attempts = tonumber(field('attempts')) - (is_again and 1 or 0)
local exchanges, first = field('exchanges') or 0, field('firstStartedAt')
if not first then redis.call('HSET', job, 'firstStartedAt', started) end
if not first or is_again and first == started then first = '' end
local term = redis.call('HINCRBY', job, 'term', 1)
redis.call('HSET', job, 'status', 'running', 'holder', instance, 'startedAt', started, 'attempts', attempts + 1,
  'exchanges', 0, 'pending', 0)
leave('line', party)
leave('waiting', party)
enter('running', party, keep)
redis.call('PEXPIRE', job, keep)
redis.call('PEXPIRE', job .. ':events', keep)
news()
return {'claimed', field('accepted'), attempts, field('last'), term, field('cancel') or '', exchanges, first}
`,
  read: (reply) => {
    const [word, accepted, attempts, last, term, cancel, exchanges, first] = listIn(reply);
    const kind = wordIn(word, ['claimed', 'over', 'held']);
    if (kind !== 'claimed') return { kind };
    return {
      kind,
      accepted: textIn(accepted),
      attempts: numberIn(attempts),
      last: numberIn(last),
      exchanges: numberIn(exchanges),
      firstStartedAt: textIn(first),
      term: numberIn(term),
      wish: textIn(cancel) === '' ? 'run' : 'cancel',
    };
  },
};
