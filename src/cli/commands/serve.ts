import { availableParallelism } from 'node:os';
import { LIMITS, SERVED_DEFAULTS } from '../../base/limits.ts';
import { VERSION } from '../../base/version.ts';
import { isLoopback } from '../../dns/special-purpose.ts';
import type { PageFacts } from '../../document/api/service-documents.ts';
import type { TraversalOptions } from '../../document/options.ts';
import { QUICK_VIEWS } from '../../evaluate/views.ts';
import { FINGERPRINTS_AT_ONCE } from '../../service/jobs/fingerprints.ts';
import { createEngine } from '../../service/jobs/job.ts';
import { createLog, type Log } from '../../service/log.ts';
import { readPage } from '../../service/page-files.ts';
import { describeRateLimit } from '../../service/rate-limit.ts';
import { type Service, startService } from '../../service/service.ts';
import { readEnvironment, type ServiceSettings } from '../../service/settings.ts';
import { QUESTIONS } from '../../traversal/fingerprint.ts';
import { optionsInEffect } from '../../traversal/options-in-effect.ts';
import { WorkerPool } from '../../traversal/threads/pool.ts';
import { addServeFlags, type ServeFlags, settingsOf } from '../flags/serve-flags.ts';
import {
  allot,
  type DescriptorUse,
  type JobBounds,
  jobsWithin,
  ownDescriptors,
  tooFewDescriptors,
} from '../process/descriptors.ts';
import { CommandError, EXIT, type ExitStatus, notDone, reason } from '../process/errors.ts';
import type { Configure } from '../process/help.ts';
import { hearReloads, type Reloads } from '../process/interruption.ts';
import type { Io, Signal } from '../process/io.ts';
import { ownMemory, tooLittleMemory } from '../process/memory.ts';
import { readDenyList } from '../runner/input-files.ts';
import { type Network, openNetwork, type Pacing } from '../runner/network.ts';
import { openServedJobs, type ServedJobs } from './served-jobs.ts';

/** `svc serve`. */
export const configureServe: Configure = (command, { io, exit }) => {
  addServeFlags(command);
  command.action(async (flags: ServeFlags) => {
    exit(await serve(flags, io));
  });
};

async function serve(flags: ServeFlags, io: Io): Promise<ExitStatus> {
  // Before anything that takes time, for otherwise the signal ends the process.
  const reloads = hearReloads(io);
  const scarcity = tooLittleMemory(ownMemory());
  if (scarcity !== undefined) throw scarcity;
  const bounds = serveBounds(settingsOf(flags));
  const log = createLog((line) => io.stderr.write(line), io.stderr.isTTY ? 'text' : 'json');
  const environment = readEnvironment(io.env);
  const settings = { ...settingsOf(flags), ...environment.settings };
  const home = await openServedJobs(flags, { settings, log, io });
  try {
    const network = await openNetwork(flags, io, pacingOf(flags, bounds, home));
    try {
      // The demo has opened its name servers meanwhile.
      await serveOn({ network, home, reloads, environment, log }, boundsWithin(bounds), flags, io);
    } finally {
      await network.close();
    }
  } finally {
    await home.release();
  }
  log.info('stopped');
  return EXIT.agreed;
}

function pacingOf(flags: ServeFlags, { jobs, use }: ServeBounds, { allowances }: ServedJobs): Pacing {
  return {
    perTraversalInFlight: jobs.perTraversalInFlight,
    totalInFlight: use.queries,
    rateTotal: flags.rateTotal ?? (flags.demo ? 0 : LIMITS.rateTotal.default),
    ...(allowances && { allowances }),
  };
}

/** What a service is started with. */
interface ServeGround {
  readonly network: Network;
  readonly home: ServedJobs;
  readonly reloads: Reloads;
  readonly environment: ReturnType<typeof readEnvironment>;
  readonly log: Log;
}

/** Serves until a signal comes. */
async function serveOn(
  { network, home, reloads, environment, log }: ServeGround,
  { use, jobs, limitedTo }: ServeBounds,
  flags: ServeFlags,
  io: Io,
): Promise<void> {
  const denied = flags.deny === undefined ? undefined : await readDenyList(flags.deny);
  const options = {
    ...network.options,
    ...(flags.onlyQuick && { views: QUICK_VIEWS }),
    maxQueries: flags.maxQueries ?? SERVED_DEFAULTS.maxQueries,
    maxPackets: flags.maxPackets ?? LIMITS.maxPackets.default,
  };
  const settings = {
    ...settingsOf(flags),
    ...environment.settings,
    maxConnections: use.connections,
    maxJobs: jobs.maxJobs,
    maxJobsPerClient: jobs.maxJobsPerClient,
    version: VERSION,
    options,
  };
  const pool = new WorkerPool({ network: network.elsewhere, pacer: network.pacer, threads: use.threads });
  if (denied !== undefined) pool.deny(denied);
  const engine = createEngine(pool, options);
  const signalled = new Promise<Signal>((resolve) => io.onSignal(resolve));
  reloads.begin(reloading(flags.deny, { pool, log }));
  const page = flags.page
    ? await readPage(await factsOf(optionsInEffect(options, network.hints), flags))
    : undefined;
  const service = await startService(settings, { engine, log, page, ...home.around }).catch(
    (error: unknown) => {
      throw cannotStart(settings, error);
    },
  );
  for (const warning of environment.warnings) log.warn(warning);
  if (isExposed(settings)) log.warn(EXPOSED);
  if (limitedTo !== undefined) log.warn(scarce(limitedTo), { ...use, jobs: jobs.maxJobs });
  announce(service, settings, log);
  const signal = await signalled;
  const graceMs = flags.graceMs ?? LIMITS.graceMs.default;
  log.info('shutting down', { signal, graceMs });
  await service.close(graceMs);
}

/** What the page has to know of the service. */
async function factsOf(
  { trustAnchors: _, ...usual }: TraversalOptions,
  { demo, publicHistory }: ServeFlags,
): Promise<PageFacts> {
  const { hasGraphviz } = await import('../../report/graphviz.ts');
  const facts = { usual, history: publicHistory === true, draws: hasGraphviz() };
  if (!demo) return facts;
  const { showcases } = await import('../../lab/showcases.ts');
  return { ...facts, demo: showcases };
}

/** Whether anybody may connect who could claim to be a proxy. */
function isExposed({ host, trustedProxies }: ServiceSettings): boolean {
  return trustedProxies === 'all' && host !== 'localhost' && !isLoopback(host);
}

const EXPOSED =
  'any client can evade the rate limit with a header of its own choice: say which proxies to believe with --trust-proxy';

function scarce(limit: number): string {
  return `only ${limit} files may be open at once: it takes on fewer connections, queries, threads and jobs than it would; raise the limit (ulimit -n)`;
}

/**
 * Reads the deny list again at each SIGHUP; one that is no good changes nothing. Without a list it is told that there
 * is none, as one unit for both sends the signal, which would otherwise end the process.
 */
function reloading(
  path: string | undefined,
  { pool, log }: { readonly pool: WorkerPool; readonly log: Log },
): () => Promise<void> {
  return async () => {
    if (path === undefined) return log.info('reload ignored: no deny list');
    try {
      const list = await readDenyList(path);
      pool.deny(list);
      log.info('deny list reloaded', { prefixes: list.prefixes.length, names: list.names.length });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      log.warn('deny list not reloaded; the previous list stays in effect', { error: error.message });
    }
  };
}

function announce({ host, port, metrics }: Service, settings: ServiceSettings, log: Log): void {
  const { region, rateLimit, webhook, version } = settings;
  log.info('listening', {
    url: `http://${bracketed(host)}:${port}`,
    ...(metrics && { metrics: `http://${bracketed(metrics.host)}:${metrics.port}/metrics` }),
    limit: describeRateLimit(rateLimit),
    region: region ?? 'none',
    webhooks: webhook === undefined ? 'off' : 'on',
    version,
  });
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this host does not have that address',
  ENOTFOUND: 'no such host',
};

/** The one line for why the service cannot start. Throws any error that is none of the system's. */
function cannotStart({ metricsListen, ...place }: ServiceSettings, error: unknown): Error {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
  if ('path' in error) return notDone(`cannot read the jobs that were kept: ${reason(error)}`);
  const isMetrics = 'port' in error && error.port === metricsListen?.port && error.port !== place.port;
  const { host, port } = isMetrics ? { ...place, ...metricsListen } : place;
  return notDone(`cannot listen on ${bracketed(host)}:${port}: ${REASONS[error.code] ?? error.code}`);
}

/** Reckons what the descriptors allow that are left now. Throws a `CommandError` if they are too few for anything. */
function serveBounds(settings: ServiceBounds): ServeBounds {
  const { maxJobs, maxJobsPerClient, maxConnections: connections } = settings;
  const jobs = { maxJobs, maxJobsPerClient, perTraversalInFlight: LIMITS.perTraversalInFlight.default };
  const use = { connections, queries: queriesFor(maxJobs), threads: availableParallelism() };
  return boundsWithin({ use, jobs });
}

/** How much a service takes on: what it is meant to, or less if the limit on open files allows no more. */
interface ServeBounds {
  readonly use: DescriptorUse;
  readonly jobs: JobBounds;
  /** The limit, if it is to blame for less. */
  readonly limitedTo?: number;
}

type ServiceBounds = Pick<ServiceSettings, 'maxJobs' | 'maxJobsPerClient' | 'maxConnections'>;

/** The same bounds, or less if fewer descriptors are left meanwhile. Throws as `serveBounds` does. */
function boundsWithin(bounds: ServeBounds): ServeBounds {
  const own = ownDescriptors();
  if (own === undefined) return bounds;
  const allotment = allot(own, bounds.use);
  if (allotment.kind === 'too-few') throw tooFewDescriptors(own, allotment);
  const { use } = allotment;
  const jobs = use.queries < bounds.use.queries ? jobsWithin(use.queries, bounds.jobs) : bounds.jobs;
  return isLess(use, bounds.use) ? { use, jobs, limitedTo: own.limit } : { ...bounds, use, jobs };
}

/**
 * A share for each job that may run, so that a job whose name servers are dead does not slow the others, and
 * room beside it for fingerprinting, so that it takes nothing from traversals.
 */
function queriesFor(maxJobs: number): number {
  const { perTraversalInFlight, totalInFlight } = LIMITS;
  const wanted = perTraversalInFlight.default * maxJobs + FINGERPRINTS_AT_ONCE * QUESTIONS;
  return Math.max(totalInFlight.default, Math.min(totalInFlight.most, wanted));
}

function isLess(one: DescriptorUse, other: DescriptorUse): boolean {
  return one.connections < other.connections || one.queries < other.queries || one.threads < other.threads;
}
