/* Checks a request (version, Host, Expect, origin) and reads its body. */

import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../base/limits.ts';
import { type Issue, readShape, ShapeError } from '../base/shape.ts';
import { parseAddress } from '../dns/address.ts';
import { isLoopback } from '../dns/special-purpose.ts';
import { type AllowedViews, requestBody, requestedOptions } from '../document/api/request.ts';
import type { Problem } from '../document/api/service-documents.ts';
import type { TraversalOptions } from '../document/options.ts';
import { isCode } from '../findings/catalogue.ts';
import type { Client } from './client.ts';
import { problemOf } from './http/response.ts';
import type { JobRequest } from './jobs/job.ts';
import type { ServiceSettings } from './settings.ts';

/** Reads the body of POST /api/traverse. `most` are the service's options, which a request may lower. */
export function readTraversalRequest(
  body: Buffer,
  most: TraversalOptions,
  views: AllowedViews = 'any',
): RequestRead {
  try {
    const { name, type = 'A', options, wait } = readShape(requestBody(most, views), parseJson(body));
    const unknown = unknownCodes(options?.ignore);
    if (unknown.length > 0) return { kind: 'invalid', errors: unknown };
    const question = { name, type };
    if (wait === undefined)
      return { kind: 'valid', request: { question, options: requestedOptions(most, options) } };
    const { expect, forMs = LIMITS.jobWaitMs.default } = wait;
    const expecting = requestedOptions(most, { ...options, expect });
    return { kind: 'valid', request: { question, options: expecting, wait: { forMs } } };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return { kind: 'invalid', errors: error.issues };
  }
}

/** The shape of a request knows how codes are spelled, the catalogue which there are. */
function unknownCodes(ignore: readonly string[] = []): readonly Issue[] {
  return ignore.flatMap((code, at) =>
    isCode(code) ? [] : [{ pointer: `/options/ignore/${at}`, detail: 'is not the code of a finding' }],
  );
}

/** What a client expects before it sends its body (RFC 9110 10.1.1): "100 Continue", something unknown, or nothing. */
export type Expects = 'continue' | 'unknown' | 'nothing';

/** Checks that apply to every request: the problem to report, or undefined. */
export function problemWith(
  message: IncomingMessage,
  expects: Expects,
  from: Client,
  names: Names,
): Problem | undefined {
  const { httpVersion, headersDistinct, method = '' } = message;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return WRONG_VERSION;
  if (isMisframed(message)) return WRONG_FRAMING;
  const hosts = headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return WRONG_HOST;
  if (isMisdirected(message, from, names)) return MISDIRECTED;
  // Before the rate limit: no page elsewhere may use up what its visitors are allowed.
  if (!READING.has(method) && isForeign(message)) return FOREIGN;
  return expects === 'unknown' ? WRONG_EXPECTATION : undefined;
}

/**
 * Whether nobody can be sure where the request ends: an HTTP/1.0 proxy in between passes Transfer-Encoding on without
 * knowing it (RFC 9112 6.1). Its connection closes after the reply.
 */
export function isMisframed({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

/** Methods that change nothing, so any page may use them. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const WRONG_VERSION: Problem = problemOf(400, 'The version of HTTP must be 1.1 or 1.0.');
const WRONG_FRAMING: Problem = problemOf(400, 'A request of HTTP/1.0 must not have a Transfer-Encoding.');
// RFC 9112 3.2: the server must answer 400.
const WRONG_HOST: Problem = problemOf(400, 'A request must have exactly one Host header.');
const MISDIRECTED: Problem = problemOf(
  421,
  'The service does not answer to that name. Its operator can add it with --host-name.',
);
const FOREIGN: Problem = problemOf(403, 'Pages of another origin may only read.');
const WRONG_EXPECTATION: Problem = problemOf(417, 'The only expectation supported is "100-continue".');

/** The parts of a request that name its host and its origin. */
type Addressed = Pick<IncomingMessage, 'url' | 'headers'>;

/** The names that a service answers to. */
type Names = Pick<ServiceSettings, 'host' | 'hostNames'>;

/**
 * Whether a request from this client is for somebody else. A page whose name was made to point at this
 * host (DNS rebinding) would come from a browser on this host, which no limit applies to, and read the
 * replies as its own. So whatever comes from here has to name the service as nobody else is named; with
 * host names configured, whatever comes from anywhere has to.
 */
export function isMisdirected(request: Addressed, { client, known }: Client, names: Names): boolean {
  const authority = authorityOf(request);
  const isNamed = names.hostNames.length > 0;
  // Browsers always name a host; HTTP/1.0 allows a program not to.
  if (authority === undefined) return isNamed;
  const fromHere = known === 'by-connection' && isLoopback(client);
  return (fromHere || isNamed) && !isOurs(hostOf(authority), names);
}

/** Whether a page of another origin (RFC 6454) made a browser send the request. */
export function isForeign(request: Addressed): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return false;
  const [, scheme = '', authority] = /^(https?):\/\/(.+)$/i.exec(origin) ?? [];
  if (authority === undefined) return true;
  const usualPort = scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/;
  const plain = (text: string) => text.toLowerCase().replace(usualPort, '');
  return plain(authority) !== plain(authorityOf(request) ?? '');
}

/** RFC 9112 3.2.2: the host in a target that is a whole URL counts, and not the header beside it. */
function authorityOf({ url = '', headers }: Addressed): string | undefined {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host;
}

/** The host of "www.example:80", "192.0.2.1" or "[2001:db8::1]:80", in lower case; undefined if it is none. */
function hostOf(authority: string): string | undefined {
  const [, literal, name] = /^(?:\[([^[\]]*:[^[\]]*)\]|([^:]*))(?::\d*)?$/.exec(authority) ?? [];
  return (literal?.replace(/%.*$/, '') ?? name)?.toLowerCase().replace(/(?<=.)\.$/, '');
}

/** A browser that is given an address asks nobody for it, and localhost is always this host (RFC 6761 6.3). */
function isOurs(host: string | undefined, names: Names): boolean {
  if (host === undefined) return false;
  if (parseAddress(host) !== undefined || host === 'localhost' || host.endsWith('.localhost')) return true;
  return host === names.host.toLowerCase() || names.hostNames.includes(host);
}

/** The trace that a proxy names in a request (W3C Trace Context 3.2), for the log. That of anybody else is ignored. */
export function traceparentOf(
  { traceparent }: IncomingMessage['headers'],
  { known }: Client,
): string | undefined {
  const isTrace = typeof traceparent === 'string' && TRACEPARENT.test(traceparent);
  return isTrace && known === 'by-header' ? traceparent : undefined;
}

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** Octets allowed in the body of a request. */
export const MAX_BODY_BYTES = 16 * 1024;

/** The body of a request, or why there is none. */
export type BodyRead =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  /** The client went away before the end. */
  | { readonly kind: 'cut-off' };

/**
 * Reads a body of at most `MAX_BODY_BYTES` octets. Of a larger one it keeps no more than that, and one
 * that is announced as larger it does not read at all. It calls `begin` when it starts to read.
 */
export function readBody(message: IncomingMessage, begin: () => void): Promise<BodyRead> {
  if (Number(message.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    return Promise.resolve({ kind: 'too-large' });
  }
  // Meanwhile it was found out whether the client may ask at all, and it may have left.
  if (message.destroyed) return Promise.resolve({ kind: 'cut-off' });
  begin();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (read: BodyRead) => {
      message.off('data', take).off('end', whole).off('close', cutOff);
      resolve(read);
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BODY_BYTES) settle({ kind: 'too-large' });
    };
    const whole = () => settle({ kind: 'whole', bytes: Buffer.concat(chunks) });
    const cutOff = () => settle({ kind: 'cut-off' });
    message.on('data', take).once('end', whole).once('close', cutOff);
  });
}

/** Octets of an unwanted body that are read and discarded, so that the client gets to read the reply. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** Discards the rest of a body, and closes the connection of a client that keeps sending. */
export function discardBody(message: IncomingMessage): void {
  if (message.complete) return;
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) message.destroy();
  });
}

/** The body of a request to traverse, read. */
type RequestRead =
  | { readonly kind: 'valid'; readonly request: JobRequest }
  | { readonly kind: 'invalid'; readonly errors: readonly Issue[] };

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ShapeError({ pointer: '', detail: 'is not JSON' });
    if (error instanceof TypeError) throw new ShapeError({ pointer: '', detail: 'is not UTF-8' });
    throw error;
  }
}
