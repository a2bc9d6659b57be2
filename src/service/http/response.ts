/* Makes the replies of the service: JSON, text, and problem documents. */

import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Packed } from '../../base/packing.ts';
import type { Issue } from '../../base/shape.ts';
import type { Problem } from '../../document/api/service-documents.ts';
import { ascii } from '../log.ts';

/** A reply of JSON text, in pieces. */
export function jsonReply(status: number, body: readonly BodyPiece[], headers: ReplyHeaders = {}): HttpReply {
  return { kind: 'whole', status, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

/** Header fields by name. */
export type ReplyHeaders = Readonly<Record<string, string>>;

/** A part of a body. What is packed is unpacked when it is sent. */
export type BodyPiece = Uint8Array | Packed;

/** The reply to a request. */
export type HttpReply =
  | {
      readonly kind: 'whole';
      readonly status: number;
      readonly headers: ReplyHeaders;
      /** In pieces; without any there is no content. */
      readonly body: readonly BodyPiece[];
    }
  /** A body that is written over time. */
  | {
      readonly kind: 'stream';
      readonly status: 200;
      readonly headers: ReplyHeaders;
      readonly start: (response: ServerResponse) => void;
      /** Whether there is more to come than can be sent now. */
      readonly live: () => boolean;
    }
  /** The client has gone, or nothing true can be said: the connection is closed. */
  | { readonly kind: 'none' };

/** A reply of a value as JSON. */
export function valueReply(status: number, value: unknown, headers: ReplyHeaders = {}): HttpReply {
  return jsonReply(status, [Buffer.from(JSON.stringify(value))], headers);
}

/** A reply of text, plain unless `headers` has another type. */
export function textReply(status: number, text: string, headers: ReplyHeaders = {}): HttpReply {
  return {
    kind: 'whole',
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
    body: [Buffer.from(text)],
  };
}

/** A reply without a body: 204. */
export function noContent(headers: ReplyHeaders = {}): HttpReply {
  return { kind: 'whole', status: 204, headers, body: [] };
}

/** The problem document for a status. `detail` is for people. */
export function problemOf(status: number, detail: string, errors?: readonly Issue[]): Problem {
  const title = STATUS_CODES[status] ?? 'Error';
  return { type: 'about:blank', title, status, detail, ...(errors === undefined ? {} : { errors }) };
}

/** Its JSON text. It can quote a request, so nothing in it may pass for markup where it is shown. */
function problemText(problem: Problem): Buffer {
  return Buffer.from(ascii(JSON.stringify(problem), /[<>&\u0080-\uffff]/g));
}

/** The media type of problem documents. */
const PROBLEM_TYPE = 'application/problem+json';

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

/** A whole reply to what is not a request. */
export type FaultReply = string;

/** A problem document like the others, with its head. Made once: thousands of clients may have to get it at a time. */
export function faultReply(status: number, detail: string): FaultReply {
  const problem = problemOf(status, detail);
  const body = problemText(problem);
  const head = [
    `HTTP/1.1 ${status} ${problem.title}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
