import { onAbort } from '../base/abort.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { fitsType, type ResourceRecord } from '../dns/record.ts';
import type { Exchange, Exchanged, Probe, Probed, Probing, Traffic } from './exchanged.ts';
import { type Query, queryKey } from './query.ts';

/**
 * An exchange that several traversals share: a traversal that puts a question to an address while another does,
 * or while the reply is kept, is given the same exchange. That is sound for equal (address, name, type) under equal
 * options, because that is what an exchange is (svc-model(7), WORDS); each step classifies it for
 * itself. The servers of the zones above are still asked for each name, because nothing says that they
 * refer `a.example` to where they refer `b.example`. Shared are the lookups of name servers that many
 * names have in common, the targets of their aliases, and names that occur twice.
 *
 * `exchange` must not listen to its signal after it has ended, because another exchange may be given the same one.
 * Nobody's `leaving` is called: packets are nobody's own.
 */
export function shareExchanges(exchange: Exchange, sharing: Sharing<Query>): Exchange {
  return shared<Query, Exchanged>(exchange, queryKey, sharing);
}

/** How far exchanges are shared. */
interface Sharing<Q = never> {
  /** How long an exchange stands for the same question, in milliseconds from its end; 0: only while it lasts. */
  readonly lifeMs: (exchanged: Exchanged) => number;
  /** Whether those that are given an exchange of another traversal have it marked `shared`. */
  readonly marked: boolean;
  /** The most replies that are kept. */
  readonly maxKept: number;
  /** Whether the reply to a question may be wanted again later; absent: always. */
  readonly keeps?: (query: Q) => boolean;
  readonly clock?: Clock;
}

/**
 * The life of exchanges that are a moment old at most: `maxAgeMs` should not exceed the time that a traversal may take, which
 * uses replies as old as that anyway. A moment's trouble must not count against every name in a list.
 */
export function momentary(maxAgeMs: number): Sharing['lifeMs'] {
  return ({ outcome }) => (outcome.kind === 'reply' ? maxAgeMs : 0);
}

/**
 * The life of an exchange in the cache of a resolver: the least TTL of the reply, where a SOA record in the authority section
 * counts with its MINIMUM (RFC 2308 5); of a failure 30 seconds (RFC 9520 3.2).
 */
export function byTtl({ outcome }: Exchanged): number {
  if (outcome.kind !== 'reply' || !ANSWERED.has(outcome.rcode)) return FAILURE_MS;
  const { answer, authority, additional } = outcome;
  const ttls = [
    ...[answer, additional].flatMap((records) => records.map(({ ttl }) => ttl)),
    ...authority.map((record) => (record.type === 'SOA' ? negativeTtl(record) : record.ttl)),
  ];
  return ttls.length === 0 ? 0 : Math.min(...ttls) * 1_000;
}

/** In seconds. */
function negativeTtl(soa: ResourceRecord): number {
  return fitsType(soa) ? Math.min(soa.ttl, Number(soa.data.split(' ').at(-1))) : soa.ttl;
}

const ANSWERED: ReadonlySet<string> = new Set(['NOERROR', 'NXDOMAIN']);

const FAILURE_MS = 30_000;

/** An exchange as what stands for others: nothing was sent for these. Its tries stay as evidence of how the server behaves. */
export function asShared<E extends Exchanged>(exchanged: E): E {
  return { ...exchanged, traffic: NO_TRAFFIC, shared: true };
}

const NO_TRAFFIC: Traffic = { packetsSent: 0, packetsReceived: 0, bytesSent: 0, bytesReceived: 0 };

/**
 * As `shareExchanges`, for probes: how a server behaves does not depend on whose name is looked up. A repeat is to bring
 * another reply, so it is not shared.
 */
export function shareProbes(probing: Probing, sharing: Sharing<Probe>): Probing {
  const ask = shared<Probe, Probed>(probing, (probe) => `${probe.probe} ${queryKey(probe)}`, sharing);
  return (probe, signal, leaving) => (probe.probe === 'repeat' ? probing : ask)(probe, signal, leaving);
}

/** Puts a question. */
type Ask<Q, E> = (query: Q, signal: AbortSignal) => Promise<E>;

function shared<Q, E extends Exchanged>(
  ask: Ask<Q, E>,
  keyOf: (query: Q) => string,
  sharing: Sharing<Q>,
): Ask<Q, E> {
  const kept = new KeptExchanges<E>(sharing);
  const { keeps = () => true, marked } = sharing;
  const keep = (query: Q, key: string, exchanged: E) => {
    if (keeps(query)) kept.keep(key, exchanged);
  };
  const given = marked ? asShared<E> : (exchanged: E) => exchanged;
  const running = new RunningExchanges(ask, keep, given);
  return async (query, signal) => {
    signal.throwIfAborted();
    const key = keyOf(query);
    const known = kept.find(key);
    return known === undefined ? await running.join(query, key, signal) : given(known);
  };
}

/** Exchanges that may be wanted again, the one that was used last last. */
class KeptExchanges<E extends Exchanged> {
  readonly #kept = new Map<string, { readonly exchanged: E; readonly until: number }>();
  readonly #sharing: Omit<Sharing, 'keeps'>;
  readonly #clock: Clock;

  constructor(sharing: Omit<Sharing, 'keeps'>) {
    this.#sharing = sharing;
    this.#clock = sharing.clock ?? systemClock;
  }

  find(key: string): E | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.until < this.#clock.now()) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.exchanged;
  }

  /** What stands for another reply already, as a referral does, is not kept: its life would begin anew. */
  keep(key: string, exchanged: E): void {
    const lifeMs = exchanged.shared ? 0 : this.#sharing.lifeMs(exchanged);
    if (lifeMs === 0) return;
    // Setting a key that a map has leaves it in its place.
    this.#kept.delete(key);
    const now = this.#clock.now();
    this.#kept.set(key, { exchanged, until: now + lifeMs });
    for (const [oldest, { until }] of this.#kept) {
      if (this.#kept.size <= this.#sharing.maxKept && until >= now) break;
      this.#kept.delete(oldest);
    }
  }
}

/** An exchange under way, what stops it, and how many wait for it. */
interface SharedRun<E> {
  readonly stop: AbortController;
  readonly exchanged: Promise<E>;
  waiting: number;
}

/** Keeps what is worth it for later. */
type Keep<Q, E> = (query: Q, key: string, exchanged: E) => void;

/** The exchanges under way. One that nobody waits for any more is stopped. */
class RunningExchanges<Q, E extends Exchanged> {
  readonly #runs = new Map<string, SharedRun<E>>();
  /** Of runs that ended without being stopped: making a controller, and listening to it, takes longer than composing a query. */
  readonly #unused: AbortController[] = [];
  readonly #ask: Ask<Q, E>;
  readonly #keep: Keep<Q, E>;
  readonly #given: (exchanged: E) => E;

  /** `given`: an exchange as those have it who did not start it. */
  constructor(ask: Ask<Q, E>, keep: Keep<Q, E>, given: (exchanged: E) => E) {
    this.#ask = ask;
    this.#keep = keep;
    this.#given = given;
  }

  join(query: Q, key: string, signal: AbortSignal): Promise<E> {
    const known = this.#runs.get(key);
    const run = known ?? this.#start(query, key);
    run.waiting += 1;
    return new Promise((resolve, reject) => {
      const stay = onAbort(signal, () => {
        this.#leave(key, run);
        reject(signal.reason);
      });
      run.exchanged.then(
        (exchanged) => {
          stay();
          resolve(known === undefined ? exchanged : this.#given(exchanged));
        },
        (reason) => {
          stay();
          reject(reason);
        },
      );
    });
  }

  #start(query: Q, key: string): SharedRun<E> {
    const stop = this.#unused.pop() ?? new AbortController();
    const run: SharedRun<E> = { stop, waiting: 0, exchanged: this.#ask(query, stop.signal) };
    this.#runs.set(key, run);
    run.exchanged.then(
      (exchanged) => {
        this.#end(key, run);
        this.#keep(query, key, exchanged);
      },
      () => this.#end(key, run),
    );
    return run;
  }

  #leave(key: string, run: SharedRun<E>): void {
    run.waiting -= 1;
    if (run.waiting > 0) return;
    this.#forget(key, run);
    run.stop.abort();
  }

  #end(key: string, run: SharedRun<E>): void {
    this.#forget(key, run);
    if (!run.stop.signal.aborted) this.#unused.push(run.stop);
  }

  #forget(key: string, ended: SharedRun<E>): void {
    // After it was given up, another run may have been started for the same key.
    if (this.#runs.get(key) === ended) this.#runs.delete(key);
  }
}
