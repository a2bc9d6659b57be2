/**
 * The service: traversals as jobs, over HTTP.
 *
 * A request arrives at `http/server`, passes the checks of `request` and the rate limit of its client (`client`, `rate-limit`),
 * and `http/routes` finds its handler. A job that is posted waits for its client's turn (`jobs/admission`), runs in a
 * worker thread of the engine, which writes its events to a log that streams read (`jobs/event-log`, `http/event-streams`), and
 * is kept for a while once it has ended (`jobs/retention`). `jobs/jobs` is the interface of a service's jobs. Two classes
 * implement it: `LocalJobs` for one process, with or without a directory, and `SharedJobs` (`store/`) for several
 * instances on one Redis or Valkey. Webhooks, metrics and log get starts and ends through `jobNotices`.
 * What one job costs in memory is written at the class `Job`, in `jobs/job`.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Metric } from '../base/metrics-text.ts';
import { createRenderer, type Renderer } from '../traversal/threads/renderer.ts';
import { Connections } from './connections.ts';
import { EventStreams } from './http/event-streams.ts';
import { createHttpServer, serveRequest } from './http/server.ts';
import type { Ended, Engine, Job } from './jobs/job.ts';
import type { JobNotices, MakeServiceJobs, ServiceJobs } from './jobs/jobs.ts';
import { LocalJobs } from './jobs/local-jobs.ts';
import type { Log } from './log.ts';
import { createMetrics, type ServiceMetrics } from './metrics.ts';
import { openApiDocument } from './openapi.ts';
import type { Page } from './page-files.ts';
import { type ClientLimiter, RateLimiter } from './rate-limit.ts';
import type { ServiceSettings } from './settings.ts';
import { createWebhooks, NO_WEBHOOKS, type Webhooks } from './webhooks.ts';

/** The parts that a service runs on, beside its settings. */
export interface ServiceSurroundings {
  readonly engine: Engine;
  readonly log: Log;
  /** The page for browsers; absent: none. */
  readonly page?: Page | undefined;
  /** Absent: jobs are in the memory of this process only. */
  readonly createJobs?: MakeServiceJobs;
  /** The rate limit of several instances, given what limits this one; absent: this one is all there is. */
  readonly limiter?: (local: ClientLimiter) => ClientLimiter;
  /** Further metrics. */
  readonly metrics?: readonly Metric[];
  readonly clock?: Clock;
  /** The time of day. */
  readonly now?: () => Date;
}

/** A running service. */
export interface Service {
  readonly host: string;
  readonly port: number;
  /**
   * Stops it: it accepts nothing new, lets running jobs continue for `graceMs`, and closes all connections at
   * most two seconds after that, whatever the jobs do. Then it delivers the webhooks that are left.
   */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Starts a service; rejects with the system's error if it cannot listen, or not read what is stored. */
export async function startService(settings: ServiceSettings, around: ServiceSurroundings): Promise<Service> {
  const { log, clock = systemClock } = around;
  const made = assemble(settings, around, clock);
  const { jobs, server } = made;
  const { begun, kept } = await jobs.open();
  const { host, port } = settings;
  server.listen({ host, port, backlog: BACKLOG });
  await once(server, 'listening');
  jobs.begin();
  if (begun + kept > 0) log.info('jobs found', { begun, kept });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return { host, port: bound, close: (graceMs) => stop(made, clock, graceMs) };
}

/** How long replies may take to reach their readers once all jobs are done. */
const FAREWELL_MS = 2_000;

/** By when they must have, counted from the end of grace. */
const LATEST_FAREWELL_MS = 1_750;

/** Time for both attempts of five seconds, and some more. */
const WEBHOOKS_MS = 12_000;

/** Connections that may wait to be accepted; the system may allow fewer. More would have to try again after a second. */
const BACKLOG = 4_096;

/** The parts of a service that have to be stopped. */
interface Assembled {
  readonly jobs: ServiceJobs;
  readonly renderer: Renderer;
  readonly server: Server;
  readonly webhooks: Webhooks;
}

function assemble(settings: ServiceSettings, around: ServiceSurroundings, clock: Clock): Assembled {
  const { engine, log, page, createJobs = inMemory, now = () => new Date() } = around;
  const { limiter: limiterWith = (local) => local, metrics: others } = around;
  const webhooks = webhooksOf(settings, log, clock);
  const limiter = limiterWith(
    new RateLimiter(settings.rateLimit, { now: () => BigInt(Math.round(clock.now() * 1e6)) }),
  );
  const gauged = {
    jobs: () => jobs.counts,
    retainedBytes: () => jobs.retainedBytes,
    streams: () => streams.count,
    connections: () => connections.count,
    rateLimitedClients: () => limiter.clients,
    webhooks: () => webhooks.counts(),
  };
  const metrics = createMetrics(gauged, others);
  const notices = jobNotices({ settings, metrics, log, webhooks });
  const jobs = createJobs(settings, { engine, clock, now, notices });
  const streams = new EventStreams(settings.timeouts, clock, () => metrics.streamsDropped.add());
  const renderer = createRenderer({ clock });
  const openApi = Buffer.from(
    JSON.stringify(openApiDocument(settings.version, settings.options, settings.views)),
  );
  const start = clock.now();
  const uptimeMs = () => Math.round(clock.now() - start);
  const parts = { settings, jobs, limiter, streams, metrics, renderer, page, openApi, uptimeMs };
  const connections = new Connections(settings, clock, () => metrics.connectionsRefused.add());
  const afterwards = () => (server.listening ? 'keep' : 'close');
  const server = createHttpServer(settings, connections, {
    request: (delivered) => void serveRequest(delivered, { parts, log, afterwards }),
    failed: (error) => log.error('connection failed', { error: error.message }),
  });
  return { jobs, renderer, server, webhooks };
}

async function stop(
  { jobs, renderer, server, webhooks }: Assembled,
  clock: Clock,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const latest = clock.now() + graceMs + LATEST_FAREWELL_MS;
  await jobs.drain(graceMs);
  await renderer.close();
  const delivered = webhooks.drain(WEBHOOKS_MS);
  server.closeIdleConnections();
  const farewellMs = Math.max(0, Math.min(FAREWELL_MS, latest - clock.now()));
  const cancelTimer = clock.after(farewellMs, () => server.closeAllConnections());
  await Promise.all([closed, delivered]);
  cancelTimer();
}

const inMemory: MakeServiceJobs = (settings, around) => new LocalJobs(settings, around);

function webhooksOf({ webhook }: ServiceSettings, log: Log, clock: Clock): Webhooks {
  if (webhook === undefined) return NO_WEBHOOKS;
  return createWebhooks({
    ...webhook,
    clock,
    onUndelivered: ({ event, id, reason }) => log.warn('webhook not delivered', { job: id, event, reason }),
  });
}

interface Receivers {
  readonly settings: ServiceSettings;
  readonly metrics: ServiceMetrics;
  readonly log: Log;
  readonly webhooks: Webhooks;
}

/** Notices of starts and ends that go to the log, the metrics and the webhook receiver. */
function jobNotices({ settings, metrics, log, webhooks }: Receivers): JobNotices {
  const seen = (job: Job) => {
    const { id, owner, request } = job;
    return { id, ...request.question, client: owner.client, region: settings.region ?? null };
  };
  const started = (job: Job, startedAt: Date) => {
    const { name, type } = job.request.question;
    log.info('job started', { job: job.id, name, type });
    const attempt = job.attempts > 0 ? { attempt: job.attempts + 1 } : {};
    void webhooks.deliver({ event: 'start', ...seen(job), at: startedAt.toISOString(), ...attempt });
  };
  const ended = (job: Job, { status, startedAt, conclusion }: Ended) => {
    const { durationMs } = conclusion;
    const { exchanges } = job.progress;
    log.info('job ended', { job: job.id, status, durationMs, exchanges });
    metrics.jobsEnded.add({ status });
    if (conclusion.validated === 'other') metrics.jobsValidatedOther.add();
    // A job that never started is not reported to have ended.
    if (startedAt === undefined) return;
    metrics.jobSeconds.observe(durationMs / 1_000);
    metrics.exchanges.add({}, exchanges);
  };
  const announce = async (job: Job, { status, startedAt, finishedAt, conclusion }: Ended) => {
    if (startedAt === undefined) return 'done';
    const { summary, durationMs } = conclusion;
    const { exchanges } = job.progress;
    const at = finishedAt.toISOString();
    const body = { ...seen(job), at, status, durationMs, exchanges, summary };
    return await webhooks.deliver({ event: 'complete', ...body });
  };
  const failed = (job: Job, error: unknown) => {
    log.error('job failed', { job: job.id, error: error instanceof Error ? error.stack : String(error) });
  };
  const crowdedOut = () => metrics.jobsCrowdedOut.add();
  const announced = settings.webhook === undefined ? {} : { announce };
  return { started, ended, crowdedOut, failed, ...announced };
}
