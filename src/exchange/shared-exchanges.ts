import { onAbort } from '../base/abort.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Exchange, Exchanged, Probe, Probed, Probing } from './exchanged.ts';
import { type Query, queryKey } from './query.ts';

/**
 * An exchange that several traversals share: a traversal that puts a question to an address while another does,
 * or a moment later, is given the same exchange. That is sound for equal (address, name, type) under equal
 * options, because that is what an exchange is (svc-model(7), WORDS); each step classifies it for
 * itself. The servers of the zones above are still asked for each name, because nothing says that they
 * refer `a.example` to where they refer `b.example`. Shared are the lookups of name servers that many
 * names have in common, the targets of their aliases, and names that occur twice.
 *
 * `maxAgeMs` should not exceed the time that a traversal may take: it uses replies as old as that anyway.
 * An exchange without a reply is shared only while it lasts: a moment's trouble must not count against
 * every name in a list. `exchange` must not listen to its signal after it has ended, because another
 * exchange may be given the same one. Nobody's `leaving` is called: packets are nobody's own.
 */
export function shareExchanges(exchange: Exchange, sharing: Sharing<Query>): Exchange {
  return shared<Query, Exchanged>(exchange, queryKey, sharing);
}

/** How far exchanges are shared. */
interface Sharing<Q = never> {
  /** The greatest age at which a reply is given again. */
  readonly maxAgeMs: number;
  /** The most replies that are kept. */
  readonly maxKept: number;
  /** Whether the reply to a question may be wanted again later; absent: always. */
  readonly keeps?: (query: Q) => boolean;
  readonly clock?: Clock;
}

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
  const kept = new KeptReplies<E>(sharing);
  const { keeps = () => true } = sharing;
  const keep = (query: Q, key: string, exchanged: E) => {
    if (exchanged.outcome.kind === 'reply' && keeps(query)) kept.keep(key, exchanged);
  };
  const running = new RunningExchanges(ask, keep);
  return async (query, signal) => {
    signal.throwIfAborted();
    const key = keyOf(query);
    return kept.find(key) ?? (await running.join(query, key, signal));
  };
}

/** Replies, the one that was used last last. */
class KeptReplies<E extends Exchanged> {
  readonly #replies = new Map<string, { readonly exchanged: E; readonly heardAt: number }>();
  readonly #sharing: Omit<Sharing, 'keeps'>;
  readonly #clock: Clock;

  constructor(sharing: Omit<Sharing, 'keeps'>) {
    this.#sharing = sharing;
    this.#clock = sharing.clock ?? systemClock;
  }

  find(key: string): E | undefined {
    const kept = this.#replies.get(key);
    if (kept === undefined || !this.#isYoung(kept)) return undefined;
    this.#replies.delete(key);
    this.#replies.set(key, kept);
    return kept.exchanged;
  }

  keep(key: string, exchanged: E): void {
    // Setting a key that a map has leaves it in its place.
    this.#replies.delete(key);
    this.#replies.set(key, { exchanged, heardAt: this.#clock.now() });
    for (const [oldest, kept] of this.#replies) {
      if (this.#replies.size <= this.#sharing.maxKept && this.#isYoung(kept)) break;
      this.#replies.delete(oldest);
    }
  }

  #isYoung({ heardAt }: { readonly heardAt: number }): boolean {
    return this.#clock.now() - heardAt <= this.#sharing.maxAgeMs;
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

  constructor(ask: Ask<Q, E>, keep: Keep<Q, E>) {
    this.#ask = ask;
    this.#keep = keep;
  }

  join(query: Q, key: string, signal: AbortSignal): Promise<E> {
    const run = this.#runs.get(key) ?? this.#start(query, key);
    run.waiting += 1;
    return new Promise((resolve, reject) => {
      const stay = onAbort(signal, () => {
        this.#leave(key, run);
        reject(signal.reason);
      });
      run.exchanged.then(
        (exchanged) => {
          stay();
          resolve(exchanged);
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
