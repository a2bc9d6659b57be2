/* Reads the reply to a call of the API. */

import { JsonError, parseJson } from '../../base/json.ts';
import { type Of, readShape, ShapeError, turned } from '../../base/shape.ts';
import { object, optional } from '../../base/shape-object.ts';
import { TEXT } from '../../base/shape-values.ts';
import { failed, ok, type RunAnswer, type RunFailure } from '../run-answer.ts';
import { shortening } from '../words/shortened.ts';
import { PROBLEM_ERRORS } from './service-documents.ts';

/** What a reply means: a JSON value (undefined for 204), or why there is none. `now` is the time of day in milliseconds. */
export function readReply(reply: ReceivedReply, now: number): RunAnswer<unknown> {
  const { status } = reply;
  if (status === 204) return ok(undefined);
  return isSuccess(status) ? readValue(reply) : failed(failureOf(reply, now));
}

/** What an HTTP server replied. */
export interface ReceivedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** RFC 9110 15.3. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function readValue(reply: ReceivedReply): RunAnswer<unknown> {
  const value = isJson(reply) ? parse(reply.body) : undefined;
  return value === undefined ? failed(strange(reply)) : ok(value);
}

function failureOf(reply: ReceivedReply, now: number): RunFailure {
  const { status, headers, body } = reply;
  const problem = readProblem(reply);
  const waiting = retryAfter(headers.get('retry-after'), now);
  switch (status) {
    case 429:
      return { kind: 'rate-limited', detail: firstLine(body), ...waiting };
    case 503:
      return { kind: 'busy', detail: problem?.detail ?? 'It is temporarily unavailable.', ...waiting };
    case 400:
      if (problem === undefined) return strange(reply);
      return { kind: 'refused', detail: problem.detail ?? '', errors: problem.errors ?? [] };
    case 404:
      return problem === undefined ? strange(reply) : { kind: 'no-such-job' };
    // RFC 9110 15.6.3, 15.6.5: a proxy has no service behind it, or waits for it in vain.
    case 502:
    case 504:
      return { kind: 'unreachable', reason: `a proxy replies with HTTP status ${status}` };
    default:
      if (status < 500) return strange(reply);
      return { kind: 'fault', detail: `HTTP status ${status}` };
  }
}

/** The longest text of a server that is shown to people, in characters. */
const LONGEST = 200;

/** A text of a server, cut to a length that fits into a message. */
export function brief(text: string): string {
  return shortening([text], LONGEST)(text);
}

/** Any text, read as what fits into a message. */
export const BRIEF = turned(TEXT, brief);

/** More of them help nobody. */
const MOST_ERRORS = 10;

/** Other servers than ours, and proxies, need not send all of a problem document. */
const SOME_PROBLEM = object({
  detail: optional(BRIEF),
  errors: optional(
    turned(PROBLEM_ERRORS, (errors) =>
      errors
        .slice(0, MOST_ERRORS)
        .map(({ pointer, detail }) => ({ pointer: brief(pointer), detail: brief(detail) })),
    ),
  ),
});

function readProblem(reply: ReceivedReply): Of<typeof SOME_PROBLEM> | undefined {
  if (!isJson(reply)) return undefined;
  try {
    return readShape(SOME_PROBLEM, parse(reply.body));
  } catch (error) {
    if (error instanceof ShapeError) return undefined;
    throw error;
  }
}

function strange({ status, headers }: ReceivedReply): RunFailure {
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null) {
    return { kind: 'not-a-service', detail: `it redirects to ${brief(location)}` };
  }
  const type = brief(headers.get('content-type')?.split(';')[0] ?? 'nothing');
  return { kind: 'not-a-service', detail: `HTTP status ${status} with ${type}` };
}

function isJson({ headers }: ReceivedReply): boolean {
  return /^application\/(?:[^;]+\+)?json\s*(?:;|$)/i.test(headers.get('content-type') ?? '');
}

function parse(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function firstLine(body: Uint8Array): string {
  return brief(new TextDecoder().decode(body).trim().split('\n', 1)[0] ?? '');
}

/** RFC 9110 10.2.3: seconds, or a date. */
function retryAfter(header: string | null, now: number): { readonly retryAfterMs?: number } {
  if (header === null) return {};
  if (/^\d{1,9}$/.test(header)) return { retryAfterMs: Number(header) * 1_000 };
  const date = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? {} : { retryAfterMs: Math.max(0, date - now) };
}
