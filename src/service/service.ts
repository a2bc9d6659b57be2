/**
 * The service: traversals as jobs, over HTTP.
 *
 * A request arrives at `http/server`, passes the checks of `request` and the rate limit of its client (`client`, `rate-limit`),
 * and `http/routes` finds its handler. A job that is posted waits for its client's turn (`jobs/scheduler`), runs in a
 * worker thread of the engine, which writes its events to a log that streams read (`jobs/event-log`, `http/event-streams`), and
 * is kept for a while once it has ended (`jobs/retention`). `jobs/jobs` is the interface of a service's jobs. Two classes
 * implement it: `LocalJobs` for one process, with or without a directory, and `SharedJobs` (`store/`) for several
 * instances on one PostgreSQL. Webhooks, metrics and log get starts and ends through `jobNotices`.
 * What one job costs in memory is written at the class `Job`, in `jobs/job`.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type Clock, systemClock } from '../base/clock.ts';
import { RecentlyUsed } from '../base/memo.ts';
import type { Metric } from '../base/metrics-text.ts';
import type { Packed } from '../base/packing.ts';
import { type ConnectionRules, Connections } from './connections.ts';
import { EventStreams } from './http/event-streams.ts';
import { type Phase, patternsOf, type ServiceParts, WATCHING } from './http/router.ts';
import { createHttpServer, serveRequest } from './http/server.ts';
import type { Ended, Engine, Job } from './jobs/job.ts';
import type { InterruptedJob, JobNotices, MakeServiceJobs, ServiceJobs } from './jobs/jobs.ts';
import { LocalJobs } from './jobs/local-jobs.ts';
import type { Log } from './log.ts';
import { createMetrics, type ServiceMetrics } from './metrics.ts';
import { openApiDocument } from './openapi.ts';
import type { Page } from './page-files.ts';
import { type ClientLimiter, RateLimiter } from './rate-limit.ts';
import { createRenderer, type Renderer } from './renderer.ts';
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
  /** What renders results; absent: a thread of its own. */
  readonly renderer?: Renderer;
  readonly clock?: Clock;
  /** The time of day. */
  readonly now?: () => Date;
}

/** A running service. */
export interface Service {
  readonly host: string;
  readonly port: number;
  /** Where its metrics are, if they have an address of their own. */
  readonly metrics?: { readonly host: string; readonly port: number };
  /**
   * Stops it: it accepts no more jobs, but answers all else while the running jobs continue, for `graceMs` at most. It
   * closes all connections at most two seconds after that, whatever the jobs do. Then it delivers the webhooks that are left.
   */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Starts a service; rejects with the system's error if it cannot listen, or not read what is stored. */
export async function startService(settings: ServiceSettings, around: ServiceSurroundings): Promise<Service> {
  const { log, clock = systemClock } = around;
  const made = assemble(settings, around, clock);
  const { jobs, server, monitor, life } = made;
  const { begun, kept } = await jobs.open();
  const metrics = monitor && (await listen(monitor.server, monitor.place));
  const place = await listen(server, settings);
  jobs.begin();
  life.phase = 'serving';
  if (begun + kept > 0) log.info('jobs found', { begun, kept });
  return { ...place, ...(metrics && { metrics }), close: (graceMs) => stop(made, clock, graceMs) };
}

/** Listens there, and gives the port that the system chose for 0. */
async function listen(server: Server, { host, port }: Place): Promise<Place> {
  server.listen({ host, port, backlog: BACKLOG });
  await once(server, 'listening');
  const address = server.address();
  return { host, port: typeof address === 'object' && address !== null ? address.port : port };
}

type Place = Pick<ServiceSettings, 'host' | 'port'>;

/** How long the service answers after the last job has ended: those who ask for it now and then do so once more. */
const LAST_READS_MS = 1_250;

/** How long replies may take to reach their readers once nothing new is answered. */
const FAREWELL_MS = 2_000;

/** By when they must have, counted from the end of grace. */
const LATEST_FAREWELL_MS = 1_750;

/** Time for both attempts of five seconds, and some more. */
const WEBHOOKS_MS = 12_000;

/** Connections that may wait to be accepted; the system may allow fewer. More would have to try again after a second. */
const BACKLOG = 4_096;

/** The parts of a service that are started and stopped. */
interface Assembled {
  readonly jobs: ServiceJobs;
  readonly renderer: Renderer;
  readonly server: Server;
  /** The server of the metrics, if they have an address of their own. */
  readonly monitor: { readonly server: Server; readonly place: Place } | undefined;
  readonly webhooks: Webhooks;
  readonly life: { phase: Phase };
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
  const metrics = createMetrics(settings.version, gauged, others);
  const notices = jobNotices({ settings, metrics, log, webhooks });
  const jobs = createJobs(settings, { engine: countingExchanges(engine, metrics), clock, now, notices });
  const streams = new EventStreams(settings.timeouts, clock, {
    dropped: () => metrics.streamsDropped.add(),
    failed: (error) => log.error('events cannot be read', { error: String(error) }),
  });
  const { renderer = createRenderer({ clock }) } = around;
  const forms = new RecentlyUsed<string, Packed>(FORM_BYTES, ({ octets }) => octets.length);
  const { metricsListen, publicHistory: history } = settings;
  const offered = { metrics: metricsListen === undefined, history, page: page !== undefined };
  const openApi = Buffer.from(JSON.stringify(openApiDocument(settings, offered)));
  const start = clock.now();
  const uptimeMs = () => Math.round(clock.now() - start);
  const life: Assembled['life'] = { phase: 'starting' };
  const phase = () => life.phase;
  const patterns = patternsOf(offered);
  const common = { settings, jobs, limiter, streams, metrics, renderer, forms, page, openApi, uptimeMs, log };
  const parts: ServiceParts = { ...common, phase, patterns };
  const connectionsOf = (rules: ConnectionRules) =>
    new Connections(rules, clock, () => metrics.connectionsRefused.add());
  const connections = connectionsOf(settings);
  const server = serverOf(parts, connections);
  const monitor = metricsListen && {
    server: serverOf(monitoring(parts, metricsListen), connectionsOf({ ...settings, ...FEW_CONNECTIONS })),
    place: metricsListen,
  };
  return { jobs, renderer, server, monitor, webhooks, life };
}

/** Octets of results in other forms than that in which jobs keep them. */
const FORM_BYTES = 64 * 1024 * 1024;

/** An HTTP server that answers with these parts. While the service drains, each reply is the last on its connection. */
function serverOf(parts: ServiceParts, connections: Connections): Server {
  const { log, settings, phase } = parts;
  const afterwards = () => (phase() === 'draining' ? 'close' : 'keep');
  return createHttpServer(settings, connections, {
    request: (delivered) => void serveRequest(delivered, { parts, afterwards }),
    failed: (error) => log.error('connection failed', { error: error.message }),
  });
}

/** The parts for the address of the metrics. Only the operator's programs know it, by whatever name. */
function monitoring(parts: ServiceParts, { host }: Place): ServiceParts {
  const settings = { ...parts.settings, host, hostNames: [] };
  return { ...parts, settings, page: undefined, patterns: WATCHING };
}

/** Enough for all programs that watch the service. */
const FEW_CONNECTIONS = { maxConnections: 32 };

/** The engine, whose exchanges are counted as they come. */
function countingExchanges(engine: Engine, metrics: ServiceMetrics): Engine {
  return {
    ...engine,
    traverse: (task, around) => {
      const emit: typeof around.emit = (event) => {
        if (event.event === 'exchange') metrics.exchanges.add({ outcome: event.outcome });
        around.emit(event);
      };
      return engine.traverse(task, { ...around, emit });
    },
  };
}

async function stop(made: Assembled, clock: Clock, graceMs: number): Promise<void> {
  const { jobs, renderer, server, monitor, webhooks, life } = made;
  life.phase = 'draining';
  const leftMs = (most: number) => Math.max(0, Math.min(most, latest - clock.now()));
  const latest = clock.now() + graceMs + LATEST_FAREWELL_MS;
  const { queued, running } = jobs.counts;
  await jobs.drain(graceMs);
  const delivered = webhooks.drain(WEBHOOKS_MS);
  if (queued + running > 0) {
    await new Promise<void>((resolve) => clock.after(leftMs(LAST_READS_MS), resolve));
  }
  await renderer.close();
  const servers = monitor === undefined ? [server] : [server, monitor.server];
  const closed = servers.map((one) => new Promise((resolve) => one.close(resolve)));
  for (const one of servers) one.closeIdleConnections();
  const cancelTimer = clock.after(leftMs(FAREWELL_MS), () => {
    for (const one of servers) one.closeAllConnections();
  });
  await Promise.all([...closed, delivered]);
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
    return { id, ...request.question, client: owner.client, region: job.region ?? settings.region ?? null };
  };
  const started = (job: Job, startedAt: Date) => {
    const { name, type } = job.request.question;
    log.info('job started', { job: job.id, name, type });
    if (job.attempts === 0)
      metrics.queueSeconds.observe(Math.max(0, startedAt.getTime() - job.createdAt.getTime()) / 1_000);
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
  };
  const interrupted = ({ id, name, type, attempts }: InterruptedJob) =>
    log.warn('job was running when the service died', { job: id, name, type, attempts });
  const announce = async (job: Job, { status, startedAt, finishedAt, conclusion }: Ended) => {
    if (startedAt === undefined) return 'done';
    const { verdict, durationMs } = conclusion;
    const { exchanges } = job.progress;
    const at = finishedAt.toISOString();
    const body = { ...seen(job), at, status, durationMs, exchanges, ...(verdict && { verdict }) };
    return await webhooks.deliver({ event: 'complete', ...body });
  };
  const failed = (job: Job, error: unknown) => {
    log.error('job failed', { job: job.id, error: error instanceof Error ? error.stack : String(error) });
  };
  const crowdedOut = () => metrics.jobsCrowdedOut.add();
  const announced = settings.webhook === undefined ? {} : { announce };
  return { started, interrupted, ended, crowdedOut, failed, ...announced };
}
