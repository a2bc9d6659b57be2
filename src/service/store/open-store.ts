/* Connects a service to the Redis or Valkey store that it shares with other instances. */

import { gauge, type Metric } from '../../base/metrics-text.ts';
import type { DegradedReason } from '../../document/api/service-documents.ts';
import type { Pace } from '../../exchange/pacer.ts';
import type { MakeServiceJobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import type { ClientLimiter, RateLimit } from '../rate-limit.ts';
import { connectToStore, type StoreConnection, type StoreState } from './connection/connect.ts';
import { readStoreUrl } from './connection/store-url.ts';
import { createFleetPace, type FleetPace } from './fleet-pace.ts';
import { SharedJobs } from './jobs/shared-jobs.ts';
import { createStoreLimiter } from './store-rate-limiter.ts';

/** What came of opening a store. Reasons are one line, without credentials. */
export type Opened =
  | { readonly kind: 'open'; readonly store: OpenStore }
  /** The URL is wrong. */
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** A store that a service shares with other instances. */
interface OpenStore {
  readonly createJobs: MakeServiceJobs;
  readonly limiter: (local: ClientLimiter) => ClientLimiter;
  /** What this instance may send to name servers, so that all together keep the rates. */
  readonly allowances: NonNullable<Pace['allowances']>;
  readonly metrics: readonly Metric[];
  readonly close: () => void;
}

/** Connects to the store that a URL names, if it will do. What becomes of the connection is told to the log. */
export async function openStore(url: string, rateLimit: RateLimit, log: Log): Promise<Opened> {
  const read = readStoreUrl(url);
  if (read.kind === 'invalid') return read;
  const connected = await connectToStore(read.address);
  if (connected.kind === 'refused') return connected;
  const { connection, warnings } = connected;
  for (const warning of warnings) log.warn(warning);
  connection.onState(tellingTo(log));
  const failed = failedTo(log);
  const pace = createFleetPace({ connection, failed });
  return {
    kind: 'open',
    store: {
      createJobs: (settings, around) => new SharedJobs(settings, around, { connection, failed }),
      limiter: (local) => createStoreLimiter(rateLimit, connection, local),
      allowances: pace.allowancesOf,
      metrics: storeMetrics(connection, pace),
      close: () => {
        pace.stop();
        connection.close();
      },
    },
  };
}

/** Logs each change of the store's state once, even if it is reported several times. */
function tellingTo(log: Log): (state: StoreState) => void {
  let told: DegradedReason | undefined;
  return (state) => {
    const why = state.kind === 'ok' ? undefined : state.why;
    if (why === told) return;
    told = why;
    if (state.kind === 'ok') log.info('store reachable again');
    else log.error('store unreachable; running jobs continue, new jobs are refused', { error: state.reason });
  };
}

function failedTo(log: Log): (error: unknown) => void {
  return (error) =>
    log.error('store operation failed', { error: error instanceof Error ? error.stack : String(error) });
}

/** What an instance tells of its store, beside the metrics that every service has. */
export function storeMetrics(
  connection: Pick<StoreConnection, 'state' | 'traffic'>,
  pace: Pick<FleetPace, 'instances'>,
): readonly Metric[] {
  return [
    gauge('traversal_store_up', 'Whether the store can be written to: 1 or 0.', () => [
      { value: connection.state.kind === 'ok' ? 1 : 0 },
    ]),
    gauge('traversal_store_instances', 'Instances that share the store; 0 while it is away.', () => [
      { value: pace.instances },
    ]),
    {
      name: 'traversal_store_commands_total',
      help: 'Commands for the store.',
      type: 'counter',
      samples: () => [{ value: connection.traffic.commands }],
    },
    {
      name: 'traversal_store_bytes_total',
      help: 'Octets exchanged with the store, by direction.',
      type: 'counter',
      samples: () => [
        { labels: { direction: 'sent' }, value: connection.traffic.octetsSent },
        { labels: { direction: 'received' }, value: connection.traffic.octetsReceived },
      ],
    },
  ];
}
