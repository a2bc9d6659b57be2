import { describeRateLimit, type RateLimit } from '../../clients/rate-limit-setting.ts';
import { type ClientLimiter, MOST_CLIENTS, type Taken } from '../../clients/rate-limiter.ts';
import type { StoreConnection } from '../connection/connect.ts';
import { runScript } from '../connection/script.ts';
import { storeKey } from '../connection/store-keys.ts';
import { isStoreTrouble } from '../connection/trouble.ts';
import { DRAW_SCRIPT } from './draw-script.ts';
import { tokenParts } from './token-parts.ts';

/** Settings that have defaults. */
interface StoreLimiterOptions {
  /** The maximum number of buckets kept. */
  readonly mostClients?: number;
  /** Microseconds of some clock; absent: the store's own. */
  readonly now?: () => bigint;
}

const US_PER_SECOND = 1_000_000;

/**
 * The rate limit of all instances together: one token bucket per client, in the store. While the store is
 * away, `local` decides.
 */
export function createStoreLimiter(
  limit: RateLimit,
  connection: Pick<StoreConnection, 'commands' | 'state'>,
  local: ClientLimiter,
  { mostClients = MOST_CLIENTS, now }: StoreLimiterOptions = {},
): ClientLimiter {
  const { token, spare, denominator } = tokenParts(limit);
  const text = describeRateLimit(limit);
  // Instances with other limits reckon in other parts.
  const of = `${limit.requests}/${limit.window}`;
  const keys = [storeKey('buckets', of), storeKey('buckets', of, 'beyond')];
  const reckoning = [token.us, token.parts, spare.us, spare.parts, denominator].map(String);
  const draw = async (client: string): Promise<Taken> => {
    const args = [...keys, client, ...reckoning, mostClients, now === undefined ? '' : `${now()}`];
    const missingUs = await runScript(connection.commands, DRAW_SCRIPT, args);
    if (missingUs === 0) return { kind: 'allowed' };
    return { kind: 'refused', retryAfterSeconds: Math.ceil(missingUs / US_PER_SECOND), text };
  };
  return {
    clients: undefined,
    take: (client) => {
      // One that hangs would be waited for.
      if (connection.state.kind === 'degraded') return local.take(client);
      return draw(client).catch((error: unknown) => {
        if (isStoreTrouble(error)) return local.take(client);
        throw error;
      });
    },
  };
}
