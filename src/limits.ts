/** One limit of the program: its default, and what a caller may set. */
export interface Limit {
  readonly default: number;
  readonly least: number;
  readonly most: number;
  /** One phrase for help texts and the API's description. */
  readonly meaning: string;
}

/**
 * Every limit that somebody can set, once. Command-line help, request checking, the OpenAPI document, the
 * man page check and the engine read it here. Durations are milliseconds, in rows whose names end in `Ms`.
 */
export const LIMITS = {
  // Of a traversal.
  timeoutMs: { default: 2_000, least: 10, most: 60_000, meaning: 'time to wait for each reply' },
  retries: { default: 2, least: 0, most: 10, meaning: 'further tries when no reply comes' },
  maxDepth: { default: 30, least: 0, most: 60, meaning: 'maximum number of referrals, aliases and lookups' },
  maxQueries: {
    default: 20_000,
    least: 1,
    most: 1_000_000,
    meaning: 'maximum number of distinct questions that count',
  },
  maxTimeMs: { default: 120_000, least: 1, most: 3_600_000, meaning: 'maximum time spent asking' },
  maxWork: {
    default: 200_000,
    least: 1,
    most: 1_000_000,
    meaning: 'maximum work of the evaluation, in steps',
  },
  maxPackets: {
    default: 5_000,
    least: 1,
    most: 100_000_000,
    meaning: 'maximum number of packets sent for one traversal',
  },
  rate: {
    default: 20,
    least: 0,
    most: 100_000,
    meaning: 'queries per second to one address; 0 means no limit',
  },
  ratePerPrefix: {
    default: 100,
    least: 0,
    most: 1_000_000,
    meaning: 'queries per second to one /24 of IPv4 or one /48 of IPv6; 0 means no limit',
  },
  rateTotal: {
    default: 2_000,
    least: 0,
    most: 10_000_000,
    meaning: 'queries per second to all addresses together; 0 means no limit',
  },
  payloadSize: { default: 1_232, least: 512, most: 65_535, meaning: 'EDNS0 UDP payload size offered' },
  port: { default: 53, least: 1, most: 65_535, meaning: 'port of the name servers' },

  // Of everything in flight.
  perTraversalInFlight: {
    default: 64,
    least: 1,
    most: 4_096,
    meaning: 'queries in flight for each of several traversals',
  },
  totalInFlight: { default: 256, least: 1, most: 4_096, meaning: 'queries in flight in total' },

  // Of a run over many names.
  namesAtOnce: { default: 8, least: 1, most: 256, meaning: 'names looked up at once' },

  // Of a name that is watched for changes.
  everyMs: {
    default: 300_000,
    least: 10_000,
    most: 86_400_000,
    meaning: 'traverse again and again, this often, and print only what changed',
  },

  // Of the service.
  trustedHops: {
    default: 1,
    least: 1,
    most: 100,
    meaning: 'entry of X-Forwarded-For that is the client, counted from the right',
  },
  clientPrefix6: {
    default: 128,
    least: 32,
    most: 128,
    meaning: 'bits of an IPv6 address by which the rate limit tells clients apart',
  },
  maxJobs: { default: 8, least: 1, most: 1_000, meaning: 'traversals that run at once' },
  /** The default is that for the default of `maxJobs`, of which it is half. */
  maxJobsPerClient: {
    default: 4,
    least: 1,
    most: 1_000,
    meaning: 'traversals of one client that run at once',
  },
  maxQueue: { default: 100, least: 0, most: 100_000, meaning: 'jobs that may wait' },
  maxQueuePerClient: { default: 25, least: 0, most: 100_000, meaning: 'jobs of one client that may wait' },
  retainMs: { default: 3_600_000, least: 1_000, most: 604_800_000, meaning: 'how long ended jobs are kept' },
  maxRetained: { default: 1_000, least: 1, most: 1_000_000, meaning: 'number of ended jobs kept' },
  maxRetainedMiB: { default: 256, least: 1, most: 65_536, meaning: 'mebibytes of ended jobs kept' },
  maxConnections: { default: 1_000, least: 1, most: 100_000, meaning: 'open connections in total' },
  maxConnectionsPerClient: {
    default: 100,
    least: 0,
    most: 100_000,
    meaning: 'open connections per address, except loopback; 0 means no limit',
  },
  maxStreamsPerClient: { default: 20, least: 1, most: 10_000, meaning: 'open event streams per client' },
  graceMs: {
    default: 30_000,
    least: 0,
    most: 3_600_000,
    meaning: 'how long running jobs may continue after shutdown begins',
  },
} as const satisfies Record<string, Limit>;

/** The limits that are others by default where anybody may ask for traversals. */
export const SERVED_LIMITS = { maxQueries: 5_000 } as const satisfies Partial<Record<LimitName, number>>;

/** The name of a limit. */
export type LimitName = keyof typeof LIMITS;
