import type { Limit } from '../limits.ts';

/** Every limit of the service that an operator may set. Durations are milliseconds. */
export const SERVICE_LIMITS = {
  maxJobs: { default: 8, least: 1, most: 1_000, meaning: 'traversals that run at once' },
  maxQueue: { default: 100, least: 0, most: 100_000, meaning: 'jobs that wait for their turn' },
  retainMs: { default: 3_600_000, least: 1_000, most: 604_800_000, meaning: 'how long an ended job is kept' },
  maxRetained: { default: 1_000, least: 1, most: 1_000_000, meaning: 'ended jobs kept' },
  maxRetainedMiB: { default: 256, least: 1, most: 65_536, meaning: 'mebibytes of ended jobs kept' },
  graceMs: {
    default: 30_000,
    least: 0,
    most: 3_600_000,
    meaning: 'how long running jobs may go on at the end',
  },
  trustedHops: {
    default: 1,
    least: 1,
    most: 100,
    meaning: 'which entry of X-Forwarded-For is the client, from the right',
  },
  maxConnections: { default: 1_000, least: 1, most: 100_000, meaning: 'connections open at once' },
  maxConnectionsPerClient: {
    default: 100,
    least: 0,
    most: 100_000,
    meaning: 'connections open from one address, loopback excepted (0: no limit)',
  },
  maxStreamsPerClient: { default: 20, least: 1, most: 10_000, meaning: 'event streams open to one client' },
} as const satisfies Record<string, Limit>;

/** The name of a limit of the service. */
export type ServiceLimitName = keyof typeof SERVICE_LIMITS;

/** Octets that the body of a request may have. */
export const MAX_BODY_BYTES = 16 * 1024;

/** Octets that the head of a request may have. */
export const MAX_HEADER_BYTES = 8 * 1024;

/** Requests on one connection that may wait for their replies. */
export const MAX_PIPELINED = 16;
