import { STATUS_CODES } from 'node:http';
import { type HttpReply, jsonReply, type ReplyHeaders } from './http-reply.ts';

/** One thing that is wrong with a request's body, and where (RFC 6901 pointer). */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

/** A problem document (RFC 9457 3). "about:blank": the status code says what kind of problem it is. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

/** The problem document for a status. `detail` is for people. */
export function problemOf(status: number, detail: string, errors?: readonly FieldError[]): Problem {
  const title = STATUS_CODES[status] ?? 'Error';
  return { type: 'about:blank', title, status, detail, ...(errors === undefined ? {} : { errors }) };
}

/** Its JSON text. It can quote a request, so nothing in it may look like markup to whoever shows it. */
export function problemText(problem: Problem): Buffer {
  return Buffer.from(JSON.stringify(problem).replace(/[<>&\u0080-\uffff]/g, escaped));
}

export const PROBLEM_TYPE = 'application/problem+json';

/** A reply that tells a problem. */
export function problemReply(problem: Problem, headers: ReplyHeaders = {}): HttpReply {
  return jsonReply(problem.status, [problemText(problem)], { 'Content-Type': PROBLEM_TYPE, ...headers });
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
