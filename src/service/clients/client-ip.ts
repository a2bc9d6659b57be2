import { createHash } from 'node:crypto';

import { parseAddress, unmapped } from '../../wire/address.ts';
import { isLoopback } from '../../wire/special-purpose.ts';

/** Who a request is counted for. */
export interface Client {
  /** A canonical address, other text in quotes, or "unknown". Printable ASCII, at most 64 characters. */
  readonly client: string;
  /** Whether the rate limit does not hold for it. */
  readonly exempt: boolean;
}

/** Headers by lower-case name, as node:http has them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Tells clients apart (specification, section 8, "Client identity"). `peer` is the address of the
 * connection's other end, with or without a port part; `trustedHops` says which entry of
 * X-Forwarded-For counts, from the right, 1 being the last. Where there are fewer entries the first
 * counts: trusted proxies wrote them all. Throws RangeError for less than 1.
 */
export function identifyClient(peer: string | undefined, headers: Headers, trustedHops = 1): Client {
  if (!(trustedHops >= 1)) throw new RangeError('trustedHops must be at least 1');
  const edge = textOf(headers['edge-client-ip']);
  const forwarded = textOf(headers['x-forwarded-for']);
  if (edge !== '') return { client: clientOf(entryOf(edge, 1)), exempt: false };
  if (forwarded !== '') return { client: clientOf(entryOf(forwarded, trustedHops)), exempt: false };
  const client = clientOf(peer ?? '');
  return { client, exempt: isLoopback(client) };
}

/** Several headers of a name are one list (RFC 9110 5.3). */
function textOf(header: string | readonly string[] | undefined): string {
  return (typeof header === 'string' ? header : (header ?? []).join(',')).trim();
}

/** The entry at a place from the right. Empty ones do not count (RFC 9110 5.6.1). */
function entryOf(list: string, fromRight: number): string {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.at(-fromRight) ?? entries[0] ?? '';
}

/** The address in "192.0.2.1", "192.0.2.1:80", "[2001:db8::1]:80" or "fe80::1%eth0"; else the text itself. */
function clientOf(text: string): string {
  if (text === '') return 'unknown';
  const host = text.replace(/^"(.*)"$/, '$1');
  return copied(addressOf(host) ?? addressOf(withoutPort(host)) ?? bounded(text));
}

/** A part of a string keeps the whole in memory: here up to all of a header, for as long as a bucket lives. */
function copied(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function addressOf(host: string): string | undefined {
  const address = parseAddress(withoutZone(host));
  return address === undefined ? undefined : unmapped(address);
}

/** RFC 4007 11: which link an address is on says nothing to us. */
function withoutZone(host: string): string {
  const [address = ''] = host.split('%', 1);
  return address.includes(':') ? address : host;
}

function withoutPort(host: string): string {
  return host.replace(/^\[(.*)\](?::\d*)?$/, '$1').replace(/^([^:]*):\d*$/, '$1');
}

/** The longest a client's text may be. */
const LONGEST = 64;

/**
 * Text that is no address tells clients apart all the same. The quotes keep it from passing for an
 * address; long text is replaced by its digest, so that nobody can fill the memory with it.
 */
function bounded(text: string): string {
  const escaped = JSON.stringify(text).replace(/[^ -~]/g, escapedCharacter);
  if (escaped.length <= LONGEST) return escaped;
  const digest = createHash('sha256').update(text).digest('base64url');
  return `"sha256:${digest}"`;
}

function escapedCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
