import { THIS_HOST } from '../../jobs/party.ts';
import { listIn, numberIn, textIn } from './reply.ts';

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
