import type { IncomingMessage } from 'node:http';
import type { Problem } from '../../document/api/problem.ts';
import type { Client } from '../clients/client-ip.ts';
import type { ServiceSettings } from '../settings.ts';
import { isForeign, isMisdirected } from './host.ts';
import { problemOf } from './problem.ts';

/** What a client expects before it sends its body (RFC 9110 10.1.1): "100 Continue", something unknown, or nothing. */
export type Expects = 'continue' | 'unknown' | 'nothing';

interface Circumstances {
  readonly expects: Expects;
  readonly from: Client;
  readonly settings: ServiceSettings;
}

/** Checks that apply to every request: the problem to report, or undefined. */
export function objectionTo(
  message: IncomingMessage,
  { expects, from, settings }: Circumstances,
): Problem | undefined {
  const { httpVersion, headersDistinct, method = '' } = message;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return WRONG_VERSION;
  const hosts = headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return WRONG_HOST;
  if (isMisdirected(message, from, settings)) return MISDIRECTED;
  // Before the rate limit: no page elsewhere may use up what its visitors are allowed.
  if (!READING.has(method) && isForeign(message)) return FOREIGN;
  return expects === 'unknown' ? WRONG_EXPECTATION : undefined;
}

/** Methods that change nothing, so any page may use them. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const WRONG_VERSION: Problem = problemOf(400, 'The version of HTTP must be 1.1 or 1.0.');
// RFC 9112 3.2: the server must answer 400.
const WRONG_HOST: Problem = problemOf(400, 'A request must have exactly one Host header.');
const MISDIRECTED: Problem = problemOf(
  421,
  'The service does not answer to that name. Its operator can add it with --host-name.',
);
const FOREIGN: Problem = problemOf(403, 'Pages of another origin may only read.');
const WRONG_EXPECTATION: Problem = problemOf(417, 'The only expectation supported is "100-continue".');
