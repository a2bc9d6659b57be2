import type { IncomingMessage } from 'node:http';
import { parseAddress } from '../dns/address.ts';
import { isLoopback } from '../dns/special-purpose.ts';
import type { Problem } from '../document/api/service-facts.ts';
import type { Client } from './client.ts';
import { problemOf } from './http/reply.ts';
import type { ServiceSettings } from './settings.ts';

/** What a client expects before it sends its body (RFC 9110 10.1.1): "100 Continue", something unknown, or nothing. */
export type Expects = 'continue' | 'unknown' | 'nothing';

interface Circumstances {
  readonly expects: Expects;
  readonly from: Client;
  readonly settings: ServiceSettings;
}

/** Checks that apply to every request: the problem to report, or undefined. */
export function problemWith(
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
