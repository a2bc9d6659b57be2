import { getOrMake } from '../base/memo.ts';
import { gauge, type Labels, type Metric, type Sample } from '../base/metrics-text.ts';
import type { JobCounts } from '../document/api/service-documents.ts';
import type { Conclusion } from '../document/events.ts';
import { EXCHANGE_OUTCOMES } from '../traversal/threads/messages.ts';
import type { NoRoom } from './jobs/jobs.ts';
import type { WebhookCounts } from './webhooks.ts';

/** New metrics, all at 0; `others` come last in `all`. `version`: of the program. */
export function createMetrics(version: string, gauged: Gauged, others: readonly Metric[] = []) {
  const own = {
    requests: counter('http_requests_total', 'Requests answered.', []),
    rateLimited: counter('rate_limited_total', 'Requests refused by the rate limit.'),
    jobsRefused: counter('jobs_refused_total', 'Jobs refused for want of room, by reason.', REFUSALS),
    jobsEnded: counter('jobs_ended_total', 'Jobs ended, by status.', STATUSES),
    jobsValidatedOther: counter(
      'jobs_validated_other_total',
      'Jobs that found users behind validating resolvers to get something else than others.',
    ),
    jobsCrowdedOut: counter(
      'jobs_crowded_out_total',
      'Ended jobs that were dropped before their time, for want of room.',
    ),
    queueSeconds: new Histogram(
      `${PREFIX}job_queue_seconds`,
      'Time that jobs waited before they started.',
      SECONDS,
    ),
    jobSeconds: new Histogram(`${PREFIX}job_duration_seconds`, 'Duration of jobs.', SECONDS),
    exchanges: counter('exchanges_total', 'Exchanges with name servers, by outcome.', OUTCOMES),
    streamsDropped: counter(
      'event_streams_dropped_total',
      'Event streams dropped because their reader stalled.',
    ),
    connectionsRefused: counter('connections_refused_total', 'Connections refused because of a limit.'),
  } as const;
  const build = gauge(`${PREFIX}build_info`, 'The version of the program and of Node.js.', () => [
    { labels: { version, node: process.version.slice(1) }, value: 1 },
  ]);
  const all: readonly Metric[] = [build, ...Object.values(own), ...readings(gauged), ...others];
  return { ...own, all };
}

/** The sources of gauges. */
interface Gauged {
  readonly jobs: () => JobCounts;
  readonly retainedBytes: () => number;
  readonly streams: () => number;
  readonly connections: () => number;
  readonly rateLimitedClients: () => number | undefined;
  readonly webhooks: () => WebhookCounts;
}

/** The metrics of a service: those that it counts itself by their names here, and `all` for `/metrics`. */
export type ServiceMetrics = ReturnType<typeof createMetrics>;

const PREFIX = 'traversal_';
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

const STATUSES = labelled('status', {
  complete: true,
  failed: true,
  cancelled: true,
} satisfies Readonly<Record<Conclusion['status'], true>>);

const OUTCOMES: readonly Labels[] = EXCHANGE_OUTCOMES.map((outcome) => ({ outcome }));

const REFUSALS = labelled('reason', {
  'queue-full': true,
  'client-queue-full': true,
  closing: true,
  away: true,
} satisfies Readonly<Record<NoRoom, true>>);

function labelled(label: string, values: Readonly<Record<string, true>>): readonly Labels[] {
  return Object.keys(values).map((value) => ({ [label]: value }));
}

function counter(name: string, help: string, known?: readonly Labels[]): Counter {
  return new Counter(`${PREFIX}${name}`, help, known);
}

/** The metrics that are counted elsewhere, and looked up whenever they are read. */
function readings({ jobs, rateLimitedClients, webhooks, ...gauged }: Gauged): readonly Metric[] {
  return [
    reading('gauge', `${PREFIX}jobs`, 'Jobs by state; retained jobs have ended.', () =>
      Object.entries(jobs()).map(([state, value]) => ({ labels: { state }, value })),
    ),
    reading('gauge', `${PREFIX}retained_bytes`, 'Memory used by ended jobs.', gauged.retainedBytes),
    reading('gauge', `${PREFIX}event_streams`, 'Open event streams.', gauged.streams),
    reading('gauge', `${PREFIX}connections`, 'Open connections.', gauged.connections),
    reading('gauge', `${PREFIX}rate_limited_clients`, 'Clients whose token bucket is not full.', () => {
      return rateLimitedClients() ?? [];
    }),
    reading('counter', `${PREFIX}webhooks_total`, 'Webhook events by outcome.', () =>
      WEBHOOK_ENDS.map((outcome) => ({ labels: { outcome }, value: webhooks()[outcome] })),
    ),
    reading('counter', `${PREFIX}webhook_attempts_total`, 'Requests sent to the webhook receiver.', () => {
      return webhooks().attempts;
    }),
    reading('gauge', `${PREFIX}webhooks_pending`, 'Webhook events not yet delivered.', () => {
      return webhooks().waiting + webhooks().inFlight;
    }),
    reading('gauge', 'process_resident_memory_bytes', 'Resident memory size in bytes.', () => {
      return process.memoryUsage.rss();
    }),
    reading(
      'counter',
      'process_cpu_seconds_total',
      'Total user and system CPU time spent in seconds.',
      () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1e6;
      },
    ),
  ];
}

const WEBHOOK_ENDS = ['delivered', 'failed', 'dropped'] as const;

function reading(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  read: () => number | readonly Sample[],
): Metric {
  const samples = () => {
    const value = read();
    return typeof value === 'number' ? [{ value }] : value;
  };
  return { name, help, type, samples };
}

/** A count that never falls, one for each set of labels. */
class Counter implements Metric {
  readonly type = 'counter';
  readonly name: string;
  readonly help: string;
  readonly #counts = new Map<string, { readonly labels: Labels; value: number }>();

  /** `known`: the sets of labels shown from the start, with 0. */
  constructor(name: string, help: string, known: readonly Labels[] = [{}]) {
    this.name = name;
    this.help = help;
    for (const labels of known) this.add(labels, 0);
  }

  add(labels: Labels = {}, by = 1): void {
    getOrMake(this.#counts, JSON.stringify(labels), () => ({ labels, value: 0 })).value += by;
  }

  samples(): readonly Sample[] {
    return [...this.#counts.values()];
  }
}

/** A distribution over fixed upper bounds. */
class Histogram implements Metric {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  /** `bounds` ascend. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count += 1;
    this.#bounds.forEach((bound, index) => {
      if (value <= bound) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    });
  }

  samples(): readonly Sample[] {
    const buckets = this.#bounds.map((bound, index) => ({
      suffix: '_bucket',
      labels: { le: `${bound}` },
      value: this.#counts[index] ?? 0,
    }));
    const all = { suffix: '_bucket', labels: { le: '+Inf' }, value: this.#count };
    return [...buckets, all, { suffix: '_sum', value: this.#sum }, { suffix: '_count', value: this.#count }];
  }
}
