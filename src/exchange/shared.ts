import { onAbort } from '../abort.ts';
import { type Exchange, type Exchanged, type Query, queryKey } from '../exchanged.ts';
import { type Clock, systemClock } from './clock.ts';

/** How far exchanges are shared. */
export interface Sharing {
  /** How old a reply may be when it is given once more. */
  readonly maxAgeMs: number;
  /** So many replies are kept at most. */
  readonly maxKept: number;
  readonly clock?: Clock;
}

/**
 * An exchange that several traversals share: who asks an address what another asks it now, or asked it a
 * moment ago, is given the same exchange. That is sound for equal (address, name, type) only, which is
 * what MODEL 1 calls an exchange: what it means is each step's own affair (MODEL 4), and it was made under
 * the same options. The servers of the zones above are asked again for each name, for nothing says that
 * they refer `a.example` to where they refer `b.example`; what is shared is the lookups of name servers
 * that many names have in common, the targets of their aliases, and names that come twice.
 *
 * A traversal may use a reply as old as it may itself take, so `maxAgeMs` should not be more than that
 * time. What brought no reply is shared only while it lasts: a moment's trouble shall not pass for the
 * state of every name in a list.
 */
export function shareExchanges(
  exchange: Exchange,
  { maxAgeMs, maxKept, clock = systemClock }: Sharing,
): Exchange {
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, UnderWay>();
  const start = (query: Query, key: string): UnderWay => {
    const stop = new AbortController();
    const begun: UnderWay = { stop, waiting: 0, exchanged: exchange(query, stop.signal) };
    underWay.set(key, begun);
    begun.exchanged.then(
      (exchanged) => {
        forget(key, begun);
        if (exchanged.outcome.kind === 'reply') keep(key, exchanged);
      },
      () => forget(key, begun),
    );
    return begun;
  };
  const forget = (key: string, ended: UnderWay) => {
    // What nobody waited for any more may have been asked again meanwhile.
    if (underWay.get(key) === ended) underWay.delete(key);
  };
  const keep = (key: string, exchanged: Exchanged) => {
    const now = clock.now();
    // A map keeps the place of a key that it had.
    kept.delete(key);
    kept.set(key, { exchanged, heardAt: now });
    for (const [oldest, { heardAt }] of kept) {
      if (kept.size <= maxKept && now - heardAt <= maxAgeMs) break;
      kept.delete(oldest);
    }
  };
  const known = (key: string): Exchanged | undefined => {
    const one = kept.get(key);
    return one !== undefined && clock.now() - one.heardAt <= maxAgeMs ? one.exchanged : undefined;
  };
  return async (query, signal) => {
    signal.throwIfAborted();
    const key = queryKey(query);
    return known(key) ?? (await join(underWay.get(key) ?? start(query, key), key, signal));
  };

  /** Waits with others; who is last to leave stops it. */
  function join(shared: UnderWay, key: string, signal: AbortSignal): Promise<Exchanged> {
    shared.waiting += 1;
    return new Promise((resolve, reject) => {
      const stay = onAbort(signal, () => {
        shared.waiting -= 1;
        if (shared.waiting === 0) {
          forget(key, shared);
          shared.stop.abort();
        }
        reject(signal.reason);
      });
      shared.exchanged.then(resolve, reject).finally(stay);
    });
  }
}

interface Kept {
  readonly exchanged: Exchanged;
  readonly heardAt: number;
}

interface UnderWay {
  readonly stop: AbortController;
  readonly exchanged: Promise<Exchanged>;
  waiting: number;
}
