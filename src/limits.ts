/** One limit of the program: what holds by default, and what a caller may set. */
export interface Limit {
  readonly default: number;
  readonly least: number;
  readonly most: number;
  /** One phrase for help texts and error messages. */
  readonly meaning: string;
}

/**
 * Every limit, once. Command-line help, request checking, the man page check and the engine read it
 * here. Durations are milliseconds.
 */
export const LIMITS = {
  timeoutMs: { default: 2_000, least: 10, most: 60_000, meaning: 'how long one try waits for a reply' },
  retries: { default: 2, least: 0, most: 10, meaning: 'further tries after silence' },
  maxDepth: { default: 30, least: 0, most: 60, meaning: 'referrals, aliases and lookups deep' },
  maxQueries: { default: 5_000, least: 1, most: 1_000_000, meaning: 'distinct questions asked' },
  maxTimeMs: { default: 120_000, least: 1, most: 3_600_000, meaning: 'how long asking may take' },
  maxWork: {
    default: 10_000,
    least: 1,
    most: 1_000_000,
    meaning: 'steps, or as much work, that the evaluation may take',
  },
  rate: { default: 20, least: 0, most: 100_000, meaning: 'queries a second to one address (0: no limit)' },
  payloadSize: { default: 1_232, least: 512, most: 65_535, meaning: 'EDNS0 UDP payload size offered' },
  perAddressInFlight: { default: 5, least: 1, most: 1_000, meaning: 'queries in flight to one address' },
  perTraversalInFlight: {
    default: 64,
    least: 1,
    most: 4_096,
    meaning: 'queries in flight for one traversal of many',
  },
  totalInFlight: { default: 256, least: 1, most: 4_096, meaning: 'queries in flight in all' },
  port: { default: 53, least: 1, most: 65_535, meaning: 'port of the name servers' },
} as const satisfies Record<string, Limit>;

/** The name of a limit. */
export type LimitName = keyof typeof LIMITS;
