import type { RateLimit } from './rate-limit-setting.ts';

/**
 * A token bucket is the moment at which it will be full again: since tokens come back evenly, the time
 * alone says how many are missing. The unit is a nanosecond divided by the requests of the limit, so that
 * one token is exactly one window long and nothing is ever rounded.
 */
export type Bucket = bigint;

/** The result of drawing one token. */
type Draw =
  /** A token was used; the bucket is what is left. */
  | { readonly kind: 'allowed'; readonly bucket: Bucket }
  /** Less than a whole token was left; nothing was used. */
  | { readonly kind: 'refused'; readonly waitNs: bigint };

/**
 * Takes one token at `now`, in nanoseconds of a monotonic clock. An undefined bucket is a new one, which
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

/** When a bucket is full again and may be forgotten, in nanoseconds, rounded up. */
export function fullAtNs(bucket: Bucket, { requests }: RateLimit): bigint {
  return (bucket + requests - 1n) / requests;
}
