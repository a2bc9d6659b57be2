import { LIMITS } from '../limits.ts';
import type { Endpoint } from './attempt.ts';
import { type Clock, systemClock } from './clock.ts';
import type { ExchangeStage } from './exchanged.ts';
import type { Pacer } from './pace.ts';
import type { Query } from './query.ts';
import { type Random, systemRandom } from './random.ts';

/** How exchanges are carried out. */
export interface ExchangeOptions {
  /** How long one try waits for a reply. */
  readonly timeoutMs: number;
  /** Further tries if no reply comes. */
  readonly retries: number;
  /** The largest reply, in octets, that the query accepts over UDP (EDNS). */
  readonly payloadSize: number;
  readonly edns: 'on' | 'off';
  /** Whether queries with EDNS ask for signatures and proofs (DO, RFC 3225 3). Absent: they do not. */
  readonly dnssec?: boolean | undefined;
  readonly nameCase: 'mixed' | 'lower';
  readonly transport: 'udp-then-tcp' | 'tcp';
  /** Port of the name servers, unless `route` says otherwise. */
  readonly port: number;
  /** Where packets for an address really go; undefined: nowhere, and nothing is sent. */
  readonly route?: (address: string) => Endpoint | undefined;
  /** Absent: each try goes out at once. */
  readonly pacer?: Pacer;
  /** Is told when a try may go out: 1 is the first of its exchange, whatever the transport. Must not throw. */
  readonly onTry?: (query: Query, number: number) => void;
  readonly random: Random;
  readonly clock: Clock;
}

/** The options of a caller that gives none. */
export const EXCHANGE_DEFAULTS: ExchangeOptions = {
  timeoutMs: LIMITS.timeoutMs.default,
  retries: LIMITS.retries.default,
  payloadSize: LIMITS.payloadSize.default,
  edns: 'on',
  nameCase: 'mixed',
  transport: 'udp-then-tcp',
  port: LIMITS.port.default,
  random: systemRandom,
  clock: systemClock,
};

/** The stage that an exchange begins with. */
export function firstStage(options: ExchangeOptions): ExchangeStage {
  return {
    transport: options.transport === 'tcp' ? 'tcp' : 'udp',
    edns: options.edns === 'on',
    nameCase: options.nameCase,
  };
}
