import { onAbort } from '../abort.ts';
import { type Exchange, type Exchanged, type Query, queryKey } from '../exchanged.ts';
import { type Clock, systemClock } from './clock.ts';

/** How far exchanges are shared. */
interface Sharing {
  /** The greatest age at which a reply is given again. */
  readonly maxAgeMs: number;
  /** The most replies that are kept. */
  readonly maxKept: number;
  readonly clock?: Clock;
}

/**
 * An exchange that several traversals share: whoever puts a question to an address while another does,
 * or a moment later, is given the same exchange. That is sound for equal (address, name, type) under equal
 * options, because that is what an exchange is (svc-model(7), WORDS); each step classifies it for
 * itself. The servers of the zones above are still asked for each name, because nothing says that they
 * refer `a.example` to where they refer `b.example`. Shared are the lookups of name servers that many
 * names have in common, the targets of their aliases, and names that occur twice.
 *
 * `maxAgeMs` should not exceed the time that a traversal may take: it uses replies as old as that anyway.
 * An exchange without a reply is shared only while it lasts: a moment's trouble must not count against
 * every name in a list.
 */
export function shareExchanges(exchange: Exchange, sharing: Sharing): Exchange {
  const kept = new KeptReplies(sharing);
  const running = new RunningExchanges(exchange, kept);
  return async (query, signal) => {
    signal.throwIfAborted();
    const key = queryKey(query);
    return kept.find(key) ?? (await running.join(query, key, signal));
  };
}

/** Replies that are still young enough, oldest first. */
class KeptReplies {
  readonly #replies = new Map<string, { readonly exchanged: Exchanged; readonly heardAt: number }>();
  readonly #sharing: Sharing;
  readonly #clock: Clock;

  constructor(sharing: Sharing) {
    this.#sharing = sharing;
    this.#clock = sharing.clock ?? systemClock;
  }

  find(key: string): Exchanged | undefined {
    const kept = this.#replies.get(key);
    return kept !== undefined && this.#isYoung(kept) ? kept.exchanged : undefined;
  }

  keep(key: string, exchanged: Exchanged): void {
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

/** An exchange under way, and how many wait for it. */
interface SharedRun {
  readonly stop: AbortController;
  readonly exchanged: Promise<Exchanged>;
  waiting: number;
}

/** The exchanges under way. One that nobody waits for any more is stopped. */
class RunningExchanges {
  readonly #runs = new Map<string, SharedRun>();
  readonly #exchange: Exchange;
  readonly #kept: KeptReplies;

  constructor(exchange: Exchange, kept: KeptReplies) {
    this.#exchange = exchange;
    this.#kept = kept;
  }

  join(query: Query, key: string, signal: AbortSignal): Promise<Exchanged> {
    const run = this.#runs.get(key) ?? this.#start(query, key);
    run.waiting += 1;
    return new Promise((resolve, reject) => {
      const stay = onAbort(signal, () => {
        this.#leave(key, run);
        reject(signal.reason);
      });
      run.exchanged.then(resolve, reject).finally(stay);
    });
  }

  #start(query: Query, key: string): SharedRun {
    const stop = new AbortController();
    const run: SharedRun = { stop, waiting: 0, exchanged: this.#exchange(query, stop.signal) };
    this.#runs.set(key, run);
    run.exchanged.then(
      (exchanged) => {
        this.#forget(key, run);
        if (exchanged.outcome.kind === 'reply') this.#kept.keep(key, exchanged);
      },
      () => this.#forget(key, run),
    );
    return run;
  }

  #leave(key: string, run: SharedRun): void {
    run.waiting -= 1;
    if (run.waiting > 0) return;
    this.#forget(key, run);
    run.stop.abort();
  }

  #forget(key: string, ended: SharedRun): void {
    // After it was given up, another run may have been started for the same key.
    if (this.#runs.get(key) === ended) this.#runs.delete(key);
  }
}
