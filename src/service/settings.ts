/* The settings of a service, their defaults, and the environment variables among them. */

import { LIMITS } from '../base/limits.ts';
import type { AllowedViews } from '../document/api/request.ts';
import type { TraversalOptions } from '../document/options.ts';
import type { ProxyTrust } from './client.ts';
import type { JobSettings } from './jobs/jobs.ts';
import { DEFAULT_RATE_LIMIT, parseRateLimit, type RateLimit } from './rate-limit.ts';
import { parseWebhookUrl, type WebhookReceiver } from './webhook-request.ts';

/** The settings of a service. Durations are milliseconds. */
export interface ServiceSettings extends JobSettings, ProxyTrust {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where the metrics are instead, with health and readiness; absent: at the address above. */
  readonly metricsListen?: { readonly host: string; readonly port: number } | undefined;
  readonly version: string;
  /** Undefined if unknown. */
  readonly region: string | undefined;
  readonly rateLimit: RateLimit;
  /** Names of the service, in lower case without a final dot. With any, requests must use one of them. */
  readonly hostNames: readonly string[];
  /** Bits of an IPv6 address by which the rate limit tells clients apart. */
  readonly clientPrefix6: number;
  readonly webhook: WebhookReceiver | undefined;
  /** The options of every traversal, which a request may lower. */
  readonly options: TraversalOptions;
  /** Which views a request may ask for. */
  readonly views: AllowedViews;
  /** With a store: how long ended jobs are kept. */
  readonly historyMs: number;
  /** With a store: octets of all ended jobs together, of which the oldest go first. */
  readonly maxHistoryBytes: number;
  /** Whether anybody may ask for the ended jobs of a name. */
  readonly publicHistory: boolean;
  readonly maxConnections: number;
  /** Of an IPv4 address or the /64 of an IPv6 address, but for loopback and named proxies; 0: no limit. */
  readonly maxConnectionsPerClient: number;
  readonly maxStreamsPerClient: number;
  readonly timeouts: Timeouts;
}

/** How long the service waits for a client. */
export interface Timeouts {
  /** For the whole head of a request, from the beginning of the connection or the end of the last reply. */
  readonly headMs: number;
  /** For the whole body of a request, from the end of its head. */
  readonly bodyMs: number;
  /** For the client to take some of what it is sent. */
  readonly stallMs: number;
  /** Between comments on an event stream. */
  readonly heartbeatMs: number;
}

/** The defaults; the caller adds what the service runs on. */
export const DEFAULT_SETTINGS: Omit<ServiceSettings, 'version' | 'options'> = {
  host: '127.0.0.1',
  port: 8053,
  region: undefined,
  rateLimit: DEFAULT_RATE_LIMIT,
  trustedHops: LIMITS.trustedHops.default,
  trustedProxies: 'all',
  hostNames: [],
  clientPrefix6: LIMITS.clientPrefix6.default,
  webhook: undefined,
  views: 'any',
  maxJobs: LIMITS.maxJobs.default,
  maxJobsPerClient: usualJobsPerClient(LIMITS.maxJobs.default),
  maxQueue: LIMITS.maxQueue.default,
  maxQueuePerClient: LIMITS.maxQueuePerClient.default,
  retainMs: LIMITS.retainMs.default,
  maxRetained: LIMITS.maxRetained.default,
  maxRetainedBytes: LIMITS.maxRetainedMiB.default * 1024 * 1024,
  historyMs: LIMITS.historyMs.default,
  maxHistoryBytes: LIMITS.maxHistoryGiB.default * 1024 ** 3,
  publicHistory: false,
  maxConnections: LIMITS.maxConnections.default,
  maxConnectionsPerClient: LIMITS.maxConnectionsPerClient.default,
  maxStreamsPerClient: LIMITS.maxStreamsPerClient.default,
  timeouts: { headMs: 10_000, bodyMs: 10_000, stallMs: 30_000, heartbeatMs: 15_000 },
};

/** How many jobs of one client run at once unless that is set: half of all, so that no client holds every slot. */
export function usualJobsPerClient(maxJobs: number): number {
  return Math.max(1, Math.floor(maxJobs / 2));
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that environment variables make, and a sentence about each invalid one. */
interface EnvironmentRead {
  readonly settings: Pick<ServiceSettings, 'rateLimit' | 'region' | 'webhook'>;
  readonly warnings: readonly string[];
}

/** Reads the environment of a service (svc-serve(1), ENVIRONMENT). An invalid value counts as not set. */
export function readEnvironment(env: Environment): EnvironmentRead {
  const { EDGE_REGION: region = '' } = env;
  const { limit: rateLimit, origin } = parseRateLimit(env.SERVICE_RATE_LIMIT);
  const webhook = readWebhook(env);
  return {
    settings: {
      rateLimit,
      region: region === '' ? undefined : region,
      webhook: webhook === 'invalid' ? undefined : webhook,
    },
    warnings: [
      ...(origin === 'invalid' ? ['SERVICE_RATE_LIMIT is not N/duration: using the default'] : []),
      ...(webhook === 'invalid' ? ['SERVICE_WEBHOOK_URL is not an http or https URL: webhooks are off'] : []),
    ],
  };
}

function readWebhook(env: Environment): WebhookReceiver | 'invalid' | undefined {
  const { SERVICE_WEBHOOK_URL: address = '', SERVICE_WEBHOOK_SECRET: secret = '' } = env;
  if (address === '') return undefined;
  const url = parseWebhookUrl(address);
  if (url === undefined) return 'invalid';
  return secret === '' ? { url } : { url, secret };
}
