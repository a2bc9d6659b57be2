import { formatDuration, parseDuration } from '../base/duration.ts';
import { getOrMake } from '../base/memo.ts';

/** How many requests one client may make, and in what time. */
export interface RateLimit {
  /** At least 1. */
  readonly requests: bigint;
  /** Nanoseconds, at least 1. */
  readonly window: bigint;
}

/** Whether a request may be carried out. */
export type Taken =
  | { readonly kind: 'allowed' }
  | {
      readonly kind: 'refused';
      /** Whole seconds until a token is back, at least 1. */
      readonly retryAfterSeconds: number;
      /** The limit in words: "30 requests per 1h0m0s". */
      readonly text: string;
    };

/** Limits what each client may ask for. */
export interface ClientLimiter {
  /** How many clients have buckets that are not full; undefined: somebody else counts them. */
  readonly clients: number | undefined;
  /** Takes a token from the client's bucket, if it holds a whole one. */
  readonly take: (client: string) => Taken | Promise<Taken>;
}

/** The most buckets kept: 16 MB when addresses are as long as they can be. */
const MOST_CLIENTS = 100_000;

/** How finely buckets are sorted by the time at which they will be full: parts of a window. */
const PARTS = 16n;

const NANOSECONDS_PER_SECOND = 1_000_000_000n;

/** Buckets that will be full in the same part of the time. */
interface Part {
  readonly buckets: Map<string, Bucket>;
  /** Goes through the buckets as they are removed; a new iterator would skip all the gaps again. */
  next?: Iterator<string>;
}

/**
 * One token bucket per client (svc-serve(1), SERVICE_RATE_LIMIT). Buckets are sorted by the part of the
 * window in which they will be full, never more than 18 parts, so full buckets are forgotten all at once
 * and a request takes no longer when there are many.
 *
 * When `mostClients` buckets are still filling, a new client replaces one of those closest to full, which
 * loses only the little it was missing: nobody is refused because of others, and an exhausted client
 * starts afresh only once all the others are about as exhausted.
 */
export class RateLimiter implements ClientLimiter {
  readonly #limit: RateLimit;
  readonly #now: () => bigint;
  readonly #mostClients: number;
  readonly #text: string;
  readonly #partLength: bigint;
  readonly #parts = new Map<bigint, Part>();

  /** `now`: nanoseconds of a monotonic clock. `mostClients`: how many buckets are kept. */
  constructor(limit: RateLimit, { now = process.hrtime.bigint, mostClients = MOST_CLIENTS } = {}) {
    this.#limit = limit;
    this.#now = now;
    this.#mostClients = mostClients;
    this.#text = describeRateLimit(limit);
    this.#partLength = quotientUp(limit.window, PARTS);
  }

  /** How many buckets are kept: those of clients that used tokens recently. */
  get clients(): number {
    let count = 0;
    for (const { buckets } of this.#parts.values()) count += buckets.size;
    return count;
  }

  /** Takes a token from the client's bucket, if it holds a whole one. */
  take(client: string): Taken {
    const { requests, window } = this.#limit;
    const now = this.#now();
    this.#forgetFull(now);
    const bucket = this.#bucketOf(client);
    const ticks = now * requests;
    const fullAt = bucket === undefined || bucket < ticks ? ticks : bucket;
    const short = fullAt - ticks - (requests - 1n) * window;
    if (short > 0n) {
      const retryAfterSeconds = Number(quotientUp(short, requests * NANOSECONDS_PER_SECOND));
      return { kind: 'refused', retryAfterSeconds, text: this.#text };
    }
    if (bucket !== undefined) this.#remove(client, this.#indexOf(bucket));
    else if (this.clients >= this.#mostClients) this.#forgetFullest();
    this.#add(client, fullAt + window);
    return { kind: 'allowed' };
  }

  #forgetFull(now: bigint): void {
    for (const index of this.#parts.keys()) {
      if ((index + 1n) * this.#partLength <= now) this.#parts.delete(index);
    }
  }

  #forgetFullest(): void {
    const [earliest] = [...this.#parts.keys()].sort((a, b) => (a < b ? -1 : 1));
    const part = earliest === undefined ? undefined : this.#parts.get(earliest);
    if (earliest === undefined || part === undefined) return;
    part.next ??= part.buckets.keys();
    const first = part.next.next();
    if (first.done !== true) this.#remove(first.value, earliest);
  }

  #bucketOf(client: string): Bucket | undefined {
    for (const { buckets } of this.#parts.values()) {
      const bucket = buckets.get(client);
      if (bucket !== undefined) return bucket;
    }
    return undefined;
  }

  #add(client: string, bucket: Bucket): void {
    const index = this.#indexOf(bucket);
    getOrMake(this.#parts, index, () => ({ buckets: new Map() })).buckets.set(client, bucket);
  }

  #remove(client: string, index: bigint): void {
    const part = this.#parts.get(index);
    part?.buckets.delete(client);
    if (part?.buckets.size === 0) this.#parts.delete(index);
  }

  #indexOf(bucket: Bucket): bigint {
    return quotientUp(bucket, this.#limit.requests) / this.#partLength;
  }
}

/**
 * A token bucket is the moment at which it will be full again: since tokens come back evenly, the time
 * alone says how many are missing. The unit is a nanosecond divided by the requests of the limit, so that
 * one token is exactly one window long and nothing is ever rounded.
 */
type Bucket = bigint;

function quotientUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
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
  return limit ? { limit, origin: 'configured' } : { limit: DEFAULT_RATE_LIMIT, origin: 'invalid' };
}

/** The limit in words: "30 requests per 1h0m0s". */
export function describeRateLimit({ requests, window }: RateLimit): string {
  return `${requests} requests per ${formatDuration(window)}`;
}

function readLimit(text: string): RateLimit | undefined {
  const [, before = '', after = ''] = /^([^/]*)\/(.*)$/s.exec(text) ?? [];
  const requests = readInteger(before.trim()) ?? 0n;
  const window = parseDuration(after.trim()) ?? 0n;
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
