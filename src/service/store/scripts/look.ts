import type { StoreScript } from '../connection/script.ts';
import { JOB_LUA } from './lua.ts';
import { listIn, numberIn, octetsIn, textIn } from './reply.ts';

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
