import { formatDuration, parseDuration } from '../../duration.ts';

/** How many requests one client may make, and in what time. */
export interface RateLimit {
  /** At least 1. */
  readonly requests: bigint;
  /** Nanoseconds, at least 1. */
  readonly window: bigint;
}

/** A limit and where it comes from: with `invalid` it is the default, and start-up warns. */
interface RateLimitSetting {
  readonly limit: RateLimit;
  readonly origin: 'default' | 'configured' | 'invalid';
}

/** 30 requests per hour. */
export const DEFAULT_RATE_LIMIT: RateLimit = { requests: 30n, window: 3_600_000_000_000n };

/**
 * Reads the setting `N/duration` (svc-serve(1)). Without a value, and with an empty or invalid one, both
 * parts are the default's.
 */
export function parseRateLimit(text: string | undefined): RateLimitSetting {
  if (text === undefined || text === '') return { limit: DEFAULT_RATE_LIMIT, origin: 'default' };
  const limit = readLimit(text);
  if (limit === undefined) return { limit: DEFAULT_RATE_LIMIT, origin: 'invalid' };
  return { limit, origin: 'configured' };
}

/** The limit in words: "30 requests per 1h0m0s". */
export function describeRateLimit({ requests, window }: RateLimit): string {
  return `${requests} requests per ${formatDuration(window)}`;
}

function readLimit(text: string): RateLimit | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const requests = readInteger(text.slice(0, slash).trim());
  const window = parseDuration(text.slice(slash + 1).trim());
  if (requests === undefined || window === undefined) return undefined;
  return requests > 0n && window > 0n ? { requests, window } : undefined;
}

const MOST_REQUESTS = 2n ** 63n - 1n;

/** Like Go's strconv.Atoi: decimal digits after an optional sign, within 64 bits. */
function readInteger(text: string): bigint | undefined {
  const digits = /^[-+]?0*([0-9]{1,19})$/.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return value <= MOST_REQUESTS ? value : undefined;
}
