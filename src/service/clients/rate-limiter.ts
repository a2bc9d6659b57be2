import { getOrMake } from '../../get-or-make.ts';
import { describeRateLimit, type RateLimit } from './rate-limit-setting.ts';
import { type Bucket, draw, fullAtNs } from './token-bucket.ts';

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

/** Settings that have defaults. */
interface RateLimiterOptions {
  /** Nanoseconds of a monotonic clock. */
  readonly now?: () => bigint;
  /** The maximum number of buckets kept. */
  readonly mostClients?: number;
}

/** The most buckets kept: 16 MB when addresses are as long as they can be. */
export const MOST_CLIENTS = 100_000;

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

  constructor(limit: RateLimit, options: RateLimiterOptions = {}) {
    this.#limit = limit;
    this.#now = options.now ?? process.hrtime.bigint;
    this.#mostClients = options.mostClients ?? MOST_CLIENTS;
    this.#text = describeRateLimit(limit);
    this.#partLength = (limit.window + PARTS - 1n) / PARTS;
  }

  /** How many buckets are kept: those of clients that used tokens recently. */
  get clients(): number {
    let count = 0;
    for (const { buckets } of this.#parts.values()) count += buckets.size;
    return count;
  }

  /** Takes a token from the client's bucket, if it holds a whole one. */
  take(client: string): Taken {
    const now = this.#now();
    this.#forgetFull(now);
    const bucket = this.#bucketOf(client);
    const drawn = draw(bucket, this.#limit, now);
    if (drawn.kind === 'refused') {
      return { kind: 'refused', retryAfterSeconds: wholeSeconds(drawn.waitNs), text: this.#text };
    }
    if (bucket !== undefined) this.#remove(client, this.#indexOf(bucket));
    else if (this.clients >= this.#mostClients) this.#forgetFullest();
    this.#add(client, drawn.bucket);
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
    return fullAtNs(bucket, this.#limit) / this.#partLength;
  }
}

function wholeSeconds(nanoseconds: bigint): number {
  return Number((nanoseconds + NANOSECONDS_PER_SECOND - 1n) / NANOSECONDS_PER_SECOND);
}
