import type { RateLimit } from './rate-limit-setting.ts';

/**
 * A token bucket is the moment at which it will be full again: what is missing then follows from the
 * time alone, for tokens come back evenly. The unit is a nanosecond divided by the limit's requests,
 * so that one token is exactly one window long and nothing is ever rounded.
 */
export type Bucket = bigint;

/** What became of a request for one token. */
export type Draw =
  /** A token was used; the bucket is as it stands after that. */
  | { readonly kind: 'allowed'; readonly bucket: Bucket }
  /** Less than a token was left; nothing was used. */
  | { readonly kind: 'refused'; readonly waitNs: bigint };

/**
 * Takes one token at `now`, in nanoseconds of a monotonic clock. No bucket stands for a new one: it
 * is full. `waitNs` is the time until a whole token is back, rounded up.
 */
export function draw(bucket: Bucket | undefined, { requests, window }: RateLimit, now: bigint): Draw {
  const ticks = now * requests;
  const fullAt = bucket === undefined || bucket < ticks ? ticks : bucket;
  const missing = fullAt - ticks;
  const short = missing - (requests - 1n) * window;
  if (short <= 0n) return { kind: 'allowed', bucket: fullAt + window };
  return { kind: 'refused', waitNs: (short + requests - 1n) / requests };
}

/** When a bucket is full again, in whole nanoseconds, rounded up: from then on it may be forgotten. */
export function fullAtNs(bucket: Bucket, { requests }: RateLimit): bigint {
  return (bucket + requests - 1n) / requests;
}
