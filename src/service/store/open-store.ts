/* Connects a service to the PostgreSQL store that it shares with other instances. */

import { gauge, type Metric } from '../../base/metrics-text.ts';
import type { DegradedReason } from '../../document/api/service-documents.ts';
import type { Pace } from '../../exchange/pacer.ts';
import type { MakeServiceJobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import type { ClientLimiter } from '../rate-limit.ts';
import type { ServiceSettings } from '../settings.ts';
import { createBucketLimiter } from './buckets.ts';
import { connectToDatabase, type Database, type StoreState } from './database.ts';
import { SharedJobs } from './jobs/shared-jobs.ts';
import { SharedPace } from './shared-pace.ts';
import { isStoreTrouble } from './trouble.ts';

/** The result of opening a store. Reasons are one line, without credentials. */
export type Opened =
  | { readonly kind: 'open'; readonly store: OpenStore }
  /** The URL is wrong, or somebody has to change something at the store first. */
  | { readonly kind: 'invalid' | 'refused'; readonly reason: string };

/** A store that a service shares with other instances. */
interface OpenStore {
  readonly createJobs: MakeServiceJobs;
  readonly limiter: (local: ClientLimiter) => ClientLimiter;
  /** What this instance may send to name servers, so that all together keep the rates. */
  readonly allowances: NonNullable<Pace['allowances']>;
  readonly metrics: readonly Metric[];
  readonly close: () => Promise<void>;
}

/** The settings of a store. */
type StoreSettings = Pick<ServiceSettings, 'rateLimit' | 'region' | 'historyMs' | 'maxHistoryBytes'>;

/** Connects to the store that a URL names. One that is away is connected to later. The log has each change of its state. */
export async function openStore(url: string, settings: StoreSettings, log: Log): Promise<Opened> {
  const connected = await connectToDatabase(url);
  if (connected.kind !== 'connected') return connected;
  const { database } = connected;
  const tell = tellingTo(log);
  tell(database.state);
  database.onState(tell);
  const failed = failedTo(log);
  const pace = new SharedPace({ database, failed });
  return {
    kind: 'open',
    store: {
      createJobs: (jobSettings, around) =>
        new SharedJobs({ ...settings, ...jobSettings }, around, database, failed),
      limiter: (local) => createBucketLimiter(settings.rateLimit, database, local),
      allowances: pace.allowancesOf,
      metrics: storeMetrics(database, pace),
      close: async () => {
        await pace.stop();
        await database.close();
      },
    },
  };
}

/** Logs that the store is away, or there again. Of further reasons only that somebody has to change something is news. */
function tellingTo(log: Log): (state: StoreState) => void {
  let told: DegradedReason | undefined;
  return (state) => {
    const why = state.kind === 'ok' ? undefined : state.why;
    if (why === told || (told !== undefined && why !== undefined && why !== 'refused')) return;
    told = why;
    if (state.kind === 'ok') log.info('store reachable again');
    else log.error('store unreachable; running jobs continue, new jobs are refused', { error: state.reason });
  };
}

/** Logs bugs: that the store is away is told once, not for each statement. */
function failedTo(log: Log): (error: unknown) => void {
  return (error) => {
    if (isStoreTrouble(error)) return;
    log.error('store operation failed', { error: error instanceof Error ? error.stack : String(error) });
  };
}

/** What an instance tells of its store, beside the metrics that every service has. */
function storeMetrics(
  database: Pick<Database, 'state' | 'traffic'>,
  pace: Pick<SharedPace, 'instances'>,
): readonly Metric[] {
  return [
    gauge('traversal_store_up', 'Whether the store can be written to: 1 or 0.', () => [
      { value: database.state.kind === 'ok' ? 1 : 0 },
    ]),
    gauge('traversal_store_instances', 'Instances that share the store; 0 while it is away.', () => [
      { value: pace.instances },
    ]),
    {
      name: 'traversal_store_statements_total',
      help: 'Statements for the store.',
      type: 'counter',
      samples: () => [{ value: database.traffic.statements }],
    },
    {
      name: 'traversal_store_bytes_total',
      help: 'Octets exchanged with the store, by direction.',
      type: 'counter',
      samples: () => [
        { labels: { direction: 'sent' }, value: database.traffic.octetsSent },
        { labels: { direction: 'received' }, value: database.traffic.octetsReceived },
      ],
    },
  ];
}
