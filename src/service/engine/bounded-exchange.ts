import type { Exchange } from '../../exchanged.ts';
import type { TraversalOptions } from '../../options.ts';
import { JobFailure } from '../jobs/job.ts';

/**
 * An exchange for one job, which may hear so much in all and no more: replies over TCP can be fifty times
 * as large as others, and all are kept until the job ends. Then the job fails, for whose name servers send
 * that much are after our memory.
 */
export function boundedExchange(exchange: Exchange, mostBytes: number): Exchange {
  let heard = 0;
  return async (query, signal) => {
    const exchanged = await exchange(query, signal);
    heard += exchanged.traffic.bytesReceived;
    if (heard > mostBytes) throw new JobFailure({ title: 'Too much data', detail: detailOf(mostBytes) });
    return exchanged;
  };
}

/** Octets that a traversal with these options may hear: what fits into so many UDP replies fits in any case. */
export function mostHeardBytes({ maxQueries, payloadSize }: TraversalOptions): number {
  return Math.max(USUALLY_HEARD_BYTES, maxQueries * payloadSize);
}

/** Twice and a half what 5,000 replies over UDP can hold. */
const USUALLY_HEARD_BYTES = 16 * 1024 * 1024;

function detailOf(mostBytes: number): string {
  return `The name servers sent more than ${Math.floor(mostBytes / 1024 / 1024)} MiB.`;
}
