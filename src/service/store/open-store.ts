import type { DegradedReason } from '../../document/api/health.ts';
import type { Pace } from '../../exchange/pace.ts';
import type { Metric } from '../../metrics-text.ts';
import type { RateLimit } from '../clients/rate-limit-setting.ts';
import type { ClientLimiter } from '../clients/rate-limiter.ts';
import type { JobHome } from '../jobs/job-store.ts';
import type { Log } from '../log.ts';
import { connectToStore, type StoreState } from './connection/connect.ts';
import { readStoreUrl } from './connection/store-url.ts';
import { SharedJobs } from './jobs/shared-jobs.ts';
import { createStoreLimiter } from './limits/store-rate-limiter.ts';
import { createFleetPace } from './pacing/fleet-pace.ts';
import { storeMetrics } from './store-metrics.ts';

/** What came of opening a store. Reasons are one line, without credentials. */
export type Opened =
  | { readonly kind: 'open'; readonly store: OpenStore }
  /** The URL is wrong. */
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** A store that a service shares with other instances. */
interface OpenStore {
  readonly home: JobHome;
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
      home: (settings, around) => new SharedJobs(settings, around, { connection, failed }),
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
