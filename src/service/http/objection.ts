import type { IncomingMessage } from 'node:http';
import { type Problem, problemOf } from './problem.ts';

/** What a client wants to hear before it sends its body (RFC 9110 10.1.1). */
export type Expects = 'leave' | 'something-unknown' | 'nothing';

/** What is wrong with a request whatever it is for; undefined if nothing is. */
export function objectionTo({ httpVersion, headersDistinct }: IncomingMessage, expects: Expects) {
  const hosts = headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return WRONG_HOST;
  return expects === 'something-unknown' ? WRONG_EXPECTATION : undefined;
}

// RFC 9112 3.2: a server must answer so.
const WRONG_HOST: Problem = problemOf(400, 'A request must have one Host header.');
const WRONG_EXPECTATION: Problem = problemOf(417, 'Here nothing can be expected but "100-continue".');
