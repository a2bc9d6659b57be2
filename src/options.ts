import { LIMITS } from './limits.ts';
import type { Family } from './wire/address.ts';

/** Every option of a traversal that has an effect on it: what a result lists as its `options`. */
export interface TraversalOptions {
  readonly families: readonly Family[];
  readonly maxDepth: number;
  readonly maxQueries: number;
  readonly maxTimeMs: number;
  readonly maxWork: number;
  readonly timeoutMs: number;
  readonly retries: number;
  /** Queries a second to one address; 0: no limit. */
  readonly rate: number;
  /** Of the name servers. */
  readonly port: number;
  readonly payloadSize: number;
  readonly edns: 'on' | 'off';
  /** Of the names asked: 0x20 or plain. */
  readonly nameCase: 'mixed' | 'lower';
  readonly transport: 'udp-then-tcp' | 'tcp';
  /** Addresses that are not globally reachable. */
  readonly specialTargets: 'blocked' | 'allowed';
}

/** What holds where nobody says otherwise. */
export const DEFAULT_OPTIONS: TraversalOptions = {
  families: [4, 6],
  maxDepth: LIMITS.maxDepth.default,
  maxQueries: LIMITS.maxQueries.default,
  maxTimeMs: LIMITS.maxTimeMs.default,
  maxWork: LIMITS.maxWork.default,
  timeoutMs: LIMITS.timeoutMs.default,
  retries: LIMITS.retries.default,
  rate: LIMITS.rate.default,
  port: LIMITS.port.default,
  payloadSize: LIMITS.payloadSize.default,
  edns: 'on',
  nameCase: 'mixed',
  transport: 'udp-then-tcp',
  specialTargets: 'blocked',
};
