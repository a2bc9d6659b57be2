/* Scripts that accept, claim, extend, end and cancel a stored job, and functions that read replies of scripts. */

import { THIS_HOST } from '../../client.ts';
import type { StoreScript } from '../connection/script.ts';

/** What a script of ours replied with, as a list. Throws for anything else, which would be a bug. */
export function listIn(reply: unknown): readonly unknown[] {
  if (!Array.isArray(reply)) throw new TypeError('a script did not reply with a list');
  return reply;
}

/** A string of a reply as text; a number in decimal; what is missing is empty. */
export function textIn(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Buffer.isBuffer(value) ? value.toString() : String(value);
}

/** A number of a reply; what is missing is 0. */
export function numberIn(value: unknown): number {
  return Number(textIn(value));
}

/** The octets of a reply. */
export function octetsIn(value: unknown): Uint8Array<ArrayBuffer> {
  return Buffer.isBuffer(value) ? Uint8Array.from(value) : new Uint8Array();
}

/** The word with which a script says what became of its work. Throws for a word that it cannot say. */
export function wordIn<Word extends string>(value: unknown, words: readonly Word[]): Word {
  const text = textIn(value);
  const word = words.find((one) => one === text);
  if (word === undefined) throw new TypeError(`a script replied with "${text}"`);
  return word;
}

/** A job that is no longer in line: it is to be put into the queue. */
export interface JobTurn {
  readonly id: string;
  /** How many of its party are waiting and running, with this one. */
  readonly ofParty: number;
}

/**
 * Lets as many of a party's jobs as may run leave its line, in the order in which they came. Whoever calls this puts them into the
 * queue. So there are never more in the queue than may run, and a queue that knows nothing of parties keeps their bounds. Each
 * instance looks now and then for what others were to put there and did not. For scripts that define `prefix` and `now`.
 */
export const TURNS_LUA = `
local function most_of(party, most) return party == '${THIS_HOST}' and math.huge or tonumber(most) end
local function tidy(party, keep)
  for _, state in ipairs({'line', 'waiting', 'running'}) do
    redis.call('ZREMRANGEBYSCORE', prefix .. ':' .. state .. ':' .. party, '-inf', now() - keep)
  end
end
local function turns(party, most, keep)
  tidy(party, keep)
  local line, waiting, running = prefix .. ':line:' .. party, prefix .. ':waiting:' .. party, prefix .. ':running:' .. party
  local count, called = redis.call('ZCARD', waiting) + redis.call('ZCARD', running), {}
  while count < most_of(party, most) do
    local first = redis.call('ZPOPMIN', line)[1]
    if not first then break end
    redis.call('ZREM', prefix .. ':line', first)
    if redis.call('EXISTS', prefix .. ':job:' .. first) == 1 then
      redis.call('ZADD', prefix .. ':waiting', now(), first)
      redis.call('ZADD', waiting, now(), first)
      redis.call('PEXPIRE', waiting, keep)
      count = count + 1
      called[#called + 1] = {first, count}
    end
  end
  redis.call(redis.call('EXISTS', line) == 1 and 'SADD' or 'SREM', prefix .. ':lines', party)
  return called
end
`;

/** The jobs that a script of ours let leave their lines. */
export function turnsIn(reply: unknown): readonly JobTurn[] {
  return listIn(reply).map((turn) => {
    const [id, ofParty] = listIn(turn);
    return { id: textIn(id), ofParty: numberIn(ofParty) };
  });
}

/**
 * What all scripts about one job begin with. The first arguments are what all keys begin with and the job's identifier.
 *
 * A job is a hash: `accepted` or, later, `ended` tell what it is as JSON, `status` and `attempts` are those of svc-api(5),
 * `last` is the id of its last event, `firstStartedAt` is when its traversal first began, whoever ran it, and `holder` is
 * the instance that runs it. Each claim has a `term` of its own, and what an instance writes in a term that is over is
 * refused. Sets sorted by time have the jobs that are in line, that are waiting, and that are running, all together and by
 * party, and those that are retained. In line are those that wait for another of their party to end; those that are waiting
 * are in the queue, or about to be put there.
 */
export const JOB_LUA = `
local prefix, id = ARGV[1], ARGV[2]
local job = prefix .. ':job:' .. id
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + time[2] / 1000
end
local function field(name) return redis.call('HGET', job, name) end
local function enter(state, party, keep)
  redis.call('ZADD', prefix .. ':' .. state, now(), id)
  redis.call('ZADD', prefix .. ':' .. state .. ':' .. party, now(), id)
  redis.call('PEXPIRE', prefix .. ':' .. state .. ':' .. party, keep)
end
local function leave(state, party)
  redis.call('ZREM', prefix .. ':' .. state, id)
  redis.call('ZREM', prefix .. ':' .. state .. ':' .. party, id)
end
local function news() return redis.call('PUBLISH', prefix .. ':news:' .. id, '') end
local function is_alive(instance)
  return instance and redis.call('EXISTS', prefix .. ':pulse:' .. instance) == 1
end
local function is_over(status) return status == 'complete' or status == 'failed' or status == 'cancelled' end
`;

/**
 * Ends a job, makes room among those that are retained, by number and by the memory that they take in the store, and tells who follows it.
 * The one that ended last stays, whatever its size. `owe` notes who is to announce the end.
 */
const FINISH_LUA = `
local function forget(old)
  local key = prefix .. ':job:' .. old
  redis.call('UNLINK', key, key .. ':events', key .. ':result', key .. ':servers')
end
local retained, sizes, total = prefix .. ':retained', prefix .. ':retained:sizes', prefix .. ':retained:total'
local function discount(old)
  redis.call('DECRBY', total, redis.call('HGET', sizes, old) or 0)
  redis.call('HDEL', sizes, old)
  redis.call('ZREM', retained, old)
end
local function make_room(most, most_octets)
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', retained, '-inf', now(), 'LIMIT', 0, 500)) do discount(old) end
  local dropped = 0
  while dropped < 100 do
    local count = redis.call('ZCARD', retained)
    if count < 2 or count <= most and tonumber(redis.call('GET', total)) <= most_octets then return dropped end
    local old = redis.call('ZRANGE', retained, 0, 0)[1]
    forget(old)
    discount(old)
    dropped = dropped + 1
  end
  return dropped
end
local function owe(announcer)
  redis.call('HSET', job, 'announcer', announcer)
  redis.call('ZADD', prefix .. ':owed', now(), id)
end
local function finish(status, ended, retain, most, most_octets)
  local party, size = field('party'), 0
  leave('line', party)
  leave('waiting', party)
  leave('running', party)
  redis.call('HSET', job, 'status', status, 'ended', ended)
  redis.call('HDEL', job, 'accepted', 'cancel')
  for _, part in ipairs({'', ':events', ':result'}) do
    redis.call('PEXPIRE', job .. part, retain)
    size = size + (redis.call('MEMORY', 'USAGE', job .. part) or 0)
  end
  redis.call('ZADD', retained, now() + retain, id)
  redis.call('HSET', sizes, id, size)
  redis.call('INCRBY', total, size)
  for _, key in ipairs({retained, sizes, total}) do redis.call('PEXPIRE', key, retain + 3600000) end
  local dropped = make_room(most, most_octets)
  news()
  return dropped
end
`;

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
