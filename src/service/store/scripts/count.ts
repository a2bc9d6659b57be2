import type { JobCounts } from '../../../document/api/health.ts';
import type { StoreScript } from '../connection/script.ts';
import { listIn, numberIn } from './reply.ts';

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
