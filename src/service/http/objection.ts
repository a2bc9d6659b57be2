import type { IncomingMessage } from 'node:http';
import type { Problem } from '../../document/api/problem.ts';
import { problemOf } from './problem.ts';

/** What a client expects before it sends its body (RFC 9110 10.1.1): "100 Continue", something unknown, or nothing. */
export type Expects = 'continue' | 'unknown' | 'nothing';

/** What is wrong with a request, whatever it asks for; undefined if nothing is. */
export function objectionTo(
  { httpVersion, headersDistinct }: IncomingMessage,
  expects: Expects,
): Problem | undefined {
  const hosts = headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return WRONG_HOST;
  return expects === 'unknown' ? WRONG_EXPECTATION : undefined;
}

// RFC 9112 3.2: the server must answer 400.
const WRONG_HOST: Problem = problemOf(400, 'A request must have exactly one Host header.');
const WRONG_EXPECTATION: Problem = problemOf(417, 'The only expectation supported is "100-continue".');
