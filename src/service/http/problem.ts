import { STATUS_CODES } from 'node:http';
import type { Problem } from '../../document/api/problem.ts';
import type { Issue } from '../../shape/shape.ts';
import { ascii } from '../log.ts';
import { type HttpReply, jsonReply, type ReplyHeaders } from './http-reply.ts';

/** The problem document for a status. `detail` is for people. */
export function problemOf(status: number, detail: string, errors?: readonly Issue[]): Problem {
  const title = STATUS_CODES[status] ?? 'Error';
  return { type: 'about:blank', title, status, detail, ...(errors === undefined ? {} : { errors }) };
}

/** Its JSON text. It can quote a request, so nothing in it may pass for markup where it is shown. */
export function problemText(problem: Problem): Buffer {
  return Buffer.from(ascii(JSON.stringify(problem), /[<>&\u0080-\uffff]/g));
}

/** The media type of problem documents. */
export const PROBLEM_TYPE = 'application/problem+json';

/** A reply that reports a problem. */
export function problemReply(problem: Problem, headers: ReplyHeaders = {}): HttpReply {
  return jsonReply(problem.status, [problemText(problem)], { 'Content-Type': PROBLEM_TYPE, ...headers });
}

/** A reply that asks the client to come back later. */
export function busyReply(detail: string, afterSeconds = 5): HttpReply {
  return problemReply(problemOf(503, detail), { 'Retry-After': `${afterSeconds}` });
}

/** The reply of a service that cannot reach the store with its jobs. */
export const AWAY: HttpReply = busyReply('The store of this service cannot be reached now.');
