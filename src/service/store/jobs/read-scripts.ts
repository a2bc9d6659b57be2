/* Scripts that read and count stored jobs, keep their server lists, and take over what dead instances left. */

import type { JobCounts } from '../../../document/api/service-documents.ts';
import type { StoreScript } from '../connection/script.ts';
import {
  JOB_LUA,
  type JobTurn,
  listIn,
  numberIn,
  octetsIn,
  TURNS_LUA,
  textIn,
  turnsIn,
  wordIn,
} from './life-scripts.ts';

/** A job as it is stored. */
export interface StoredJob {
  readonly status: string;
  /** As JSON; empty once it has ended. */
  readonly accepted: string;
  /** As JSON; empty until it has ended. */
  readonly ended: string;
  readonly startedAt: string;
  /** When its traversal first began; empty if it never has. */
  readonly firstStartedAt: string;
  readonly last: number;
  readonly exchanges: number;
  readonly pending: number;
  /** The server list, if it was asked for and is there. */
  readonly servers: Buffer | undefined;
  /** Whether somebody is about to store a server list. */
  readonly identifying: 'here' | 'nobody';
  /** The chunks of the result that were asked for. */
  readonly result: readonly Uint8Array<ArrayBuffer>[];
  /** The events that were asked for, as many as come at once. */
  readonly blocks: readonly StoredBlock[];
}

/** Some events, deflated, up to the one with the id `last`. */
interface StoredBlock {
  readonly last: number;
  readonly octets: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a job, and a part of it. Whoever asks for all events is about to follow it, and who runs it is told. Arguments: the
 * part, the id of the event after which events are asked for, and how many chunks of the result, from the first on, are not.
 */
export const LOOK: StoreScript<StoredJob | undefined> = {
  name: 'svcLook',
  keys: 0,
  strings: 'octets',
  lua: `${JOB_LUA}
local part, after, chunks = ARGV[3], ARGV[4], ARGV[5]
local head = redis.call('HMGET', job, 'status', 'accepted', 'ended', 'startedAt', 'last', 'exchanges', 'pending', 'holder')
if not head[1] then return {} end
if part == 'events' and after == '0' and head[1] == 'running' then
  redis.call('PUBLISH', prefix .. ':to:' .. head[8], 'follow ' .. id)
end
head[8] = is_alive(head[8]) and 'here' or ''
for at = 1, 7 do head[at] = head[at] or '' end
head[9], head[10], head[11] = '', {}, {}
if part == 'servers' or part == 'events' then head[9] = redis.call('GET', job .. ':servers') or '' end
if part == 'result' then head[10] = redis.call('LRANGE', job .. ':result', chunks, -1) end
if part == 'events' then head[11] = redis.call('XRANGE', job .. ':events', '(' .. after .. '-0', '+', 'COUNT', 200) end
head[12] = field('firstStartedAt') or ''
return head
`,
  read: (reply) => {
    const [
      status,
      accepted,
      ended,
      startedAt,
      last,
      exchanges,
      pending,
      holder,
      servers,
      result,
      blocks,
      first,
    ] = listIn(reply);
    if (status === undefined) return undefined;
    return {
      status: textIn(status),
      accepted: textIn(accepted),
      ended: textIn(ended),
      startedAt: textIn(startedAt),
      firstStartedAt: textIn(first),
      last: numberIn(last),
      exchanges: numberIn(exchanges),
      pending: numberIn(pending),
      identifying: textIn(holder) === 'here' ? 'here' : 'nobody',
      servers: Buffer.isBuffer(servers) && servers.length > 0 ? servers : undefined,
      result: listIn(result).map(octetsIn),
      blocks: listIn(blocks).map(blockIn),
    };
  },
};

function blockIn(entry: unknown): StoredBlock {
  const [id, fields] = listIn(entry);
  const [, octets] = listIn(fields);
  return { last: Number(textIn(id).split('-')[0]), octets: octetsIn(octets) };
}

/**
 * How many jobs start before one that waits, unless more come; undefined if it does not wait, or is just being put into the queue. What is
 * in line goes after all that is in the queue, and as many of every other party go before it as of its own. Arguments: what
 * the keys of the queue begin with.
 */
export const AHEAD: StoreScript<number | undefined> = {
  name: 'svcAhead',
  keys: 0,
  lua: `${JOB_LUA}
local queue, party = ARGV[3], field('party')
if not party then return '' end
local first = redis.call('LLEN', queue .. 'wait')
local rank = redis.call('ZRANK', queue .. 'prioritized', id)
if rank then return first + rank end
local place = redis.call('ZRANK', prefix .. ':line:' .. party, id)
if not place then return '' end
local ahead = first + redis.call('ZCARD', queue .. 'prioritized') + place
for _, other in ipairs(redis.call('SMEMBERS', prefix .. ':lines')) do
  if other ~= party then ahead = ahead + math.min(place, redis.call('ZCARD', prefix .. ':line:' .. other)) end
end
return ahead
`,
  read: (reply) => (textIn(reply) === '' ? undefined : numberIn(reply)),
};

/** Counts the jobs of all instances. The argument is what all keys begin with. */
export const COUNT_JOBS: StoreScript<JobCounts> = {
  name: 'svcCount',
  keys: 0,
  lua: `
local prefix, time = ARGV[1], redis.call('TIME')
local function count(state) return redis.call('ZCARD', prefix .. ':' .. state) end
return {count('line') + count('waiting'), count('running'), redis.call('ZCOUNT', prefix .. ':retained', time[1] * 1000, '+inf')}
`,
  read: (reply) => {
    const [queued, running, retained] = listIn(reply).map(numberIn);
    return { queued: queued ?? 0, running: running ?? 0, retained: retained ?? 0 };
  },
};

/**
 * Gives an instance the jobs whose ends are to be announced by instances that are no more. Arguments: what all keys begin with, the
 * instance, and for how many milliseconds the end must have been there.
 */
export const OWED: StoreScript<readonly string[]> = {
  name: 'svcOwed',
  keys: 0,
  lua: `
local prefix, owed, time = ARGV[1], ARGV[1] .. ':owed', redis.call('TIME')
local now, mine = time[1] * 1000 + math.floor(time[2] / 1000), {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', owed, '-inf', now - tonumber(ARGV[3]), 'LIMIT', 0, 100)) do
  local announcer = redis.call('HGET', prefix .. ':job:' .. id, 'announcer')
  if not announcer then redis.call('ZREM', owed, id)
  elseif redis.call('EXISTS', prefix .. ':pulse:' .. announcer) == 0 then
    redis.call('HSET', prefix .. ':job:' .. id, 'announcer', ARGV[2])
    redis.call('ZADD', owed, now, id)
    mine[#mine + 1] = id
  else redis.call('ZADD', owed, now, id) end
end
return mine
`,
  read: (reply) => listIn(reply).map(textIn),
};

/**
 * Makes an instance the one that asks the servers of an ended job what they are, if whoever was to do it is no more. Arguments: instance.
 */
export const ADOPT: StoreScript<'adopted' | 'not-needed'> = {
  name: 'svcAdopt',
  keys: 0,
  lua: `${JOB_LUA}
local status, holder = field('status'), field('holder')
if not status or not is_over(status) or is_alive(holder) then return 'not-needed' end
if redis.call('EXISTS', job .. ':servers') == 1 then return 'not-needed' end
redis.call('HSET', job, 'holder', ARGV[3])
return 'adopted'
`,
  read: (reply) => wordIn(reply, ['adopted', 'not-needed']),
};

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

/**
 * Finds accepted jobs that are not in the queue though they should be: an instance died before it had put them there. One instance
 * looks at a time. Parties get what is free of their bounds, and what is counted but no longer kept is counted no more.
 * Arguments: what all keys begin with, what those of the queue begin with, for how many milliseconds a job must have been
 * there, how often to look, how many of a party may run, and how long to keep those that wait.
 */
export const SWEEP: StoreScript<readonly JobTurn[]> = {
  name: 'svcSweep',
  keys: 0,
  lua: `
local prefix, queue = ARGV[1], ARGV[2]
if not redis.call('SET', prefix .. ':sweep', '', 'NX', 'PX', ARGV[4]) then return {} end
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + time[2] / 1000
end
${TURNS_LUA}
local before, lost = now() - tonumber(ARGV[3]), {}
for _, state in ipairs({'line', 'waiting', 'running'}) do
  local all = prefix .. ':' .. state
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', all, '-inf', before, 'LIMIT', 0, 500)) do
    if redis.call('EXISTS', prefix .. ':job:' .. id) == 0 then redis.call('ZREM', all, id)
    elseif state ~= 'line' and redis.call('EXISTS', queue .. id) == 0 then lost[#lost + 1] = {id, 1} end
  end
end
for _, party in ipairs(redis.call('SRANDMEMBER', prefix .. ':lines', 500)) do
  for _, turn in ipairs(turns(party, ARGV[5], tonumber(ARGV[6]))) do lost[#lost + 1] = turn end
end
return lost
`,
  read: turnsIn,
};
