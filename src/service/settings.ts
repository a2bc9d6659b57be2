import { LIMITS } from '../limits.ts';
import type { TraversalOptions } from '../options.ts';
import type { TrustedProxies } from './clients/client-ip.ts';
import { DEFAULT_RATE_LIMIT, type RateLimit } from './clients/rate-limit-setting.ts';
import type { WebhookReceiver } from './webhook/receiver.ts';

/** The settings of a service. Durations are milliseconds. */
export interface ServiceSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly version: string;
  /** Undefined if unknown. */
  readonly region: string | undefined;
  readonly rateLimit: RateLimit;
  readonly trustedHops: number;
  readonly trustedProxies: TrustedProxies;
  /** Names of the service, in lower case without a final dot. With any, requests must use one of them. */
  readonly hostNames: readonly string[];
  /** Bits of an IPv6 address by which the rate limit tells clients apart. */
  readonly clientPrefix6: number;
  readonly webhook: WebhookReceiver | undefined;
  /** The options of every traversal, which a request may lower. */
  readonly options: TraversalOptions;
  readonly maxJobs: number;
  /** Exempt clients excepted. */
  readonly maxJobsPerClient: number;
  readonly maxQueue: number;
  /** Exempt clients excepted. */
  readonly maxQueuePerClient: number;
  readonly retainMs: number;
  readonly maxRetained: number;
  readonly maxRetainedBytes: number;
  readonly maxConnections: number;
  /** From one address, loopback excepted; 0: no limit. */
  readonly maxConnectionsPerClient: number;
  readonly maxStreamsPerClient: number;
  readonly timeouts: Timeouts;
}

/** How long the service waits for a client. */
interface Timeouts {
  /** For the head of a request, from its first octet or from connecting. */
  readonly headersMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** For the next request on a connection. */
  readonly keepAliveMs: number;
  /** For any octet to move while a request is being answered. */
  readonly idleMs: number;
  /** How often these times are checked. */
  readonly checkMs: number;
  /** Between comments on an event stream. */
  readonly heartbeatMs: number;
  /** For a reader of events to take some. */
  readonly stallMs: number;
}

const TIMEOUTS: Timeouts = {
  headersMs: 10_000,
  requestMs: 15_000,
  keepAliveMs: 10_000,
  idleMs: 60_000,
  checkMs: 1_000,
  heartbeatMs: 15_000,
  stallMs: 30_000,
};

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
  maxJobs: LIMITS.maxJobs.default,
  maxJobsPerClient: usualJobsPerClient(LIMITS.maxJobs.default),
  maxQueue: LIMITS.maxQueue.default,
  maxQueuePerClient: LIMITS.maxQueuePerClient.default,
  retainMs: LIMITS.retainMs.default,
  maxRetained: LIMITS.maxRetained.default,
  maxRetainedBytes: LIMITS.maxRetainedMiB.default * 1024 * 1024,
  maxConnections: LIMITS.maxConnections.default,
  maxConnectionsPerClient: LIMITS.maxConnectionsPerClient.default,
  maxStreamsPerClient: LIMITS.maxStreamsPerClient.default,
  timeouts: TIMEOUTS,
};

/** How many jobs of one client run at once unless that is set: half of all, so that no client holds every slot. */
export function usualJobsPerClient(maxJobs: number): number {
  return Math.max(1, Math.floor(maxJobs / 2));
}
