/* The limits of the program: the default of each, and what a caller may set. */

/** One limit of the program: its default, and what a caller may set. */
export interface Limit {
  readonly default: number;
  readonly least: number;
  readonly most: number;
  /** One phrase for help texts and the API's description. */
  readonly meaning: string;
  /** How the command line spells it; absent: it cannot be set there. */
  readonly flag?: string;
}

/** Who may set an option of a traversal, each with those before it. */
export type Reach =
  /** Requests to a service, as well as those that follow. */
  | 'request'
  /** Whoever runs traversals: a command that runs them on this host, or `svc serve`. */
  | 'operator'
  /** Only `svc serve`. */
  | 'serve'
  /** Only a command that traverses one name on this host. */
  | 'one-name'
  /** Only a command that traverses many names on this host. */
  | 'many-names';

/** The heading of help below which an option stands. */
export type OptionHeading = 'how-to-ask' | 'how-far';

/** A limit that is an option of a traversal. */
interface OptionLimit extends Limit {
  readonly flag: string;
  readonly heading: OptionHeading;
  readonly reach: Reach;
}

/**
 * The limits that are options of a traversal. A row is all that such an option takes: flag and help, the check of requests
 * and saved results, OpenAPI, the page's command line and complaints follow from it.
 */
export const OPTION_LIMITS = {
  maxDepth: {
    default: 30,
    least: 0,
    most: 60,
    meaning: 'maximum number of referrals, aliases and lookups',
    flag: '--max-depth',
    heading: 'how-far',
    reach: 'request',
  },
  maxQueries: {
    default: 20_000,
    least: 1,
    most: 1_000_000,
    meaning: 'maximum number of distinct questions that the result uses',
    flag: '--max-queries',
    heading: 'how-far',
    reach: 'request',
  },
  maxTimeMs: {
    default: 120_000,
    least: 1,
    most: 3_600_000,
    meaning: 'maximum time spent asking',
    flag: '--max-time',
    heading: 'how-far',
    reach: 'request',
  },
  maxWork: {
    default: 200_000,
    least: 1,
    most: 1_000_000,
    meaning: 'maximum work of the evaluation, in steps',
    flag: '--max-work',
    heading: 'how-far',
    reach: 'request',
  },
  maxPackets: {
    default: 5_000,
    least: 1,
    most: 100_000_000,
    meaning: 'packets sent for one traversal',
    flag: '--max-packets',
    heading: 'how-far',
    reach: 'serve',
  },
  timeoutMs: {
    default: 2_000,
    least: 10,
    most: 60_000,
    meaning: 'time to wait for each reply',
    flag: '--timeout',
    heading: 'how-to-ask',
    reach: 'request',
  },
  retries: {
    default: 2,
    least: 0,
    most: 10,
    meaning: 'further tries when no reply comes',
    flag: '--retries',
    heading: 'how-to-ask',
    reach: 'request',
  },
  rate: {
    default: 20,
    least: 0,
    most: 100_000,
    meaning: 'queries per second to one address; 0 means no limit',
    flag: '--rate',
    heading: 'how-to-ask',
    reach: 'operator',
  },
  port: {
    default: 53,
    least: 1,
    most: 65_535,
    meaning: 'port of the name servers',
    flag: '-p, --port',
    heading: 'how-to-ask',
    reach: 'operator',
  },
  payloadSize: {
    default: 1_232,
    least: 512,
    most: 65_535,
    meaning: 'EDNS0 UDP payload size offered',
    flag: '--payload-size',
    heading: 'how-to-ask',
    reach: 'request',
  },
} as const satisfies Record<string, OptionLimit>;

/** The limits that `svc serve` sets, in the order of its help. */
export const SERVICE_LIMITS = {
  trustedHops: {
    default: 1,
    least: 1,
    most: 100,
    meaning: 'entry of X-Forwarded-For that is the client, counted from the right',
    flag: '--trusted-hops',
  },
  clientPrefix6: {
    default: 128,
    least: 32,
    most: 128,
    meaning: 'bits of an IPv6 address by which the rate limit tells clients apart',
    flag: '--client-prefix6',
  },
  maxJobs: {
    default: 8,
    least: 1,
    most: 1_000,
    meaning: 'traversals that send queries at once',
    flag: '--max-jobs',
  },
  /** The default is that for the default of `maxJobs`, of which it is half. */
  maxJobsPerClient: {
    default: 4,
    least: 1,
    most: 1_000,
    meaning: 'traversals of one client that run at once',
    flag: '--max-jobs-per-client',
  },
  maxQueue: { default: 100, least: 0, most: 100_000, meaning: 'jobs that may wait', flag: '--max-queue' },
  maxQueuePerClient: {
    default: 25,
    least: 0,
    most: 100_000,
    meaning: 'jobs of one client that may wait',
    flag: '--max-queue-per-client',
  },
  retainMs: {
    default: 3_600_000,
    least: 1_000,
    most: 604_800_000,
    meaning: 'how long ended jobs are kept',
    flag: '--retain',
  },
  maxRetained: {
    default: 1_000,
    least: 1,
    most: 1_000_000,
    meaning: 'number of ended jobs kept',
    flag: '--max-retained',
  },
  maxRetainedMiB: {
    default: 256,
    least: 1,
    most: 65_536,
    meaning: 'mebibytes of ended jobs kept',
    flag: '--max-retained-mib',
  },
  historyMs: {
    default: 2_592_000_000,
    least: 3_600_000,
    most: 315_360_000_000,
    meaning: 'how long ended jobs are kept in a store',
    flag: '--history',
  },
  maxHistoryGiB: {
    default: 20,
    least: 1,
    most: 1_000_000,
    meaning: 'gibibytes of ended jobs kept in a store',
    flag: '--history-gib',
  },
  maxConnections: {
    default: 1_000,
    least: 1,
    most: 100_000,
    meaning: 'open connections in total',
    flag: '--max-connections',
  },
  maxConnectionsPerClient: {
    default: 100,
    least: 0,
    most: 100_000,
    meaning: 'open connections per address, except loopback; 0 means no limit',
    flag: '--max-connections-per-client',
  },
  maxStreamsPerClient: {
    default: 20,
    least: 1,
    most: 10_000,
    meaning: 'open event streams per client',
    flag: '--max-streams-per-client',
  },
  graceMs: {
    default: 30_000,
    least: 0,
    most: 3_600_000,
    meaning: 'time that running jobs have at shutdown',
    flag: '--grace',
  },
} as const satisfies Record<string, Limit & { readonly flag: string }>;

/**
 * Every limit that somebody can set, once. Command-line help, request checking, the OpenAPI document, the
 * man page check and the engine read it here. Durations are milliseconds, in rows whose names end in `Ms`.
 */
export const LIMITS = {
  ...OPTION_LIMITS,

  // Of what all traversals send together.
  ratePerPrefix: {
    default: 100,
    least: 0,
    most: 1_000_000,
    meaning: 'queries per second to one /24 of IPv4 or one /48 of IPv6; 0 means no limit',
    flag: '--rate-prefix',
  },
  rateTotal: {
    default: 2_000,
    least: 0,
    most: 10_000_000,
    meaning: 'queries per second to all addresses together; 0 means no limit',
    flag: '--rate-total',
  },
  perTraversalInFlight: {
    default: 64,
    least: 1,
    most: 4_096,
    meaning: 'queries in flight for each of several traversals',
  },
  totalInFlight: { default: 256, least: 1, most: 4_096, meaning: 'queries in flight in total' },

  // Of evaluating.
  evaluationMs: { default: 10_000, least: 1, most: 10_000, meaning: 'time for one evaluation of a service' },

  // Of a run over many names.
  namesAtOnce: { default: 8, least: 1, most: 256, meaning: 'names looked up at once', flag: '--jobs' },

  // Of a name that is watched for changes.
  everyMs: {
    default: 300_000,
    least: 10_000,
    most: 86_400_000,
    meaning: 'traverse again and again, this often, and print only what changed',
    flag: '--every',
  },

  // Of a name that is waited for.
  waitEveryMs: {
    default: 2_000,
    least: 1_000,
    most: 86_400_000,
    meaning: 'traverse again this often',
    flag: '--every',
  },
  waitForMs: {
    default: 600_000,
    least: 10,
    most: 604_800_000,
    meaning: 'the longest time to wait',
    flag: '--for',
  },

  jobWaitMs: {
    default: 600_000,
    least: 1_000,
    most: 3_600_000,
    meaning: 'the longest time that a job waits',
  },

  ...SERVICE_LIMITS,
} as const satisfies Record<string, Limit>;

/** The limits that are others by default where anybody may ask for traversals. */
export const SERVED_DEFAULTS = { maxQueries: 5_000 } as const satisfies Partial<Record<LimitName, number>>;

/** The name of a limit. */
export type LimitName = keyof typeof LIMITS;

/** The names of the rows of a table, in its order. */
export function keysOf<T extends object>(rows: T): readonly (keyof T & string)[];
export function keysOf(rows: object): readonly string[] {
  return Object.keys(rows);
}
