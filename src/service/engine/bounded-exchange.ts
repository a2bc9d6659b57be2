import type { Exchange } from '../../exchanged.ts';
import type { TraversalOptions } from '../../options.ts';

/** Thrown by a bounded exchange that has heard too much: nothing else stops a traversal from within. */
export class HeardTooMuch extends Error {
  constructor(mostBytes: number) {
    super(`The name servers sent more than ${Math.floor(mostBytes / 1024 / 1024)} MiB.`);
  }
}

/**
 * An exchange for one job that rejects with `HeardTooMuch` once `mostBytes` octets were received in all.
 * Every reply is kept until the job ends, and over TCP one can be fifty times the usual size, so hostile
 * name servers could otherwise fill the memory.
 */
export function boundedExchange(exchange: Exchange, mostBytes: number): Exchange {
  let heard = 0;
  return async (query, signal) => {
    const exchanged = await exchange(query, signal);
    heard += exchanged.traffic.bytesReceived;
    if (heard > mostBytes) throw new HeardTooMuch(mostBytes);
    return exchanged;
  };
}

/** Octets that a traversal with these options may receive: never less than all its questions can bring over UDP. */
export function mostHeardBytes({ maxQueries, payloadSize }: TraversalOptions): number {
  return Math.max(USUALLY_HEARD_BYTES, maxQueries * payloadSize);
}

/** Two and a half times what 5,000 UDP replies can hold. */
const USUALLY_HEARD_BYTES = 16 * 1024 * 1024;
