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
import { JobPreviews } from './http/job-preview.ts';
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
  const running = new RunningService(settings, around);
  return await running.listen();
}

/** How long replies may take to reach their readers once all jobs are done. */
const FAREWELL_MS = 2_000;

/** By when they must have, counted from the end of grace. */
const LATEST_FAREWELL_MS = 1_750;

/** Time for both attempts of five seconds, and some more. */
const WEBHOOKS_MS = 12_000;

/** Connections that may wait to be accepted; the system may allow fewer. More would have to try again after a second. */
const BACKLOG = 4_096;

class RunningService {
  readonly #settings: ServiceSettings;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #webhooks: Webhooks;
  readonly #jobs: ServiceJobs;
  readonly #renderer: Renderer;
  readonly #server: Server;
  #closing = false;

  constructor(settings: ServiceSettings, around: ServiceSurroundings) {
    const { engine, log, page, createJobs = inMemory, clock = systemClock, now = () => new Date() } = around;
    const { limiter: limiterWith = (local) => local, metrics: others = [] } = around;
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
    this.#webhooks = webhooksOf(settings, log, clock);
    const limiter = limiterWith(
      new RateLimiter(settings.rateLimit, { now: () => BigInt(Math.round(clock.now() * 1e6)) }),
    );
    const gauged = {
      jobs: () => jobs.counts,
      retainedBytes: () => jobs.retainedBytes,
      streams: () => streams.count,
      connections: () => connections.count,
      rateLimitedClients: () => limiter.clients,
      webhooks: () => this.#webhooks.counts(),
    };
    const metrics = createMetrics(gauged, others);
    const notices = jobNotices({ settings, metrics, log, webhooks: this.#webhooks });
    const jobs = createJobs(settings, { engine, clock, now, notices });
    const streams = new EventStreams(settings.timeouts, clock, () => metrics.streamsDropped.add());
    const renderer = createRenderer({ clock });
    const openApi = Buffer.from(JSON.stringify(openApiDocument(settings.version, settings.options)));
    const start = clock.now();
    const uptimeMs = () => Math.round(clock.now() - start);
    const previews = new JobPreviews(renderer);
    const parts = { settings, jobs, limiter, streams, metrics, renderer, previews, page, openApi, uptimeMs };
    const afterwards = () => (this.#closing ? 'close' : 'keep');
    this.#jobs = jobs;
    this.#renderer = renderer;
    const connections = new Connections(settings, clock, () => metrics.connectionsRefused.add());
    this.#server = createHttpServer(settings, connections, {
      request: (delivered) => void serveRequest(delivered, { parts, log, afterwards }),
      failed: (error) => log.error('connection failed', { error: error.message }),
    });
  }

  async listen(): Promise<Service> {
    const { begun, kept } = await this.#jobs.open();
    const { host } = this.#settings;
    this.#server.listen({ host, port: this.#settings.port, backlog: BACKLOG });
    await once(this.#server, 'listening');
    this.#jobs.begin();
    if (begun + kept > 0) this.#log.info('jobs found', { begun, kept });
    const address = this.#server.address();
    const port = typeof address === 'object' && address !== null ? address.port : this.#settings.port;
    return { host, port, close: (graceMs) => this.#close(graceMs) };
  }

  async #close(graceMs: number): Promise<void> {
    this.#closing = true;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    const latest = this.#clock.now() + graceMs + LATEST_FAREWELL_MS;
    await this.#jobs.drain(graceMs);
    await this.#renderer.close();
    const delivered = this.#webhooks.drain(WEBHOOKS_MS);
    this.#server.closeIdleConnections();
    const farewellMs = Math.max(0, Math.min(FAREWELL_MS, latest - this.#clock.now()));
    const cancelTimer = this.#clock.after(farewellMs, () => this.#server.closeAllConnections());
    await Promise.all([closed, delivered]);
    cancelTimer();
  }
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
