/* Identifies the client behind a request, whatever proxies it came through. */

import { createHash } from 'node:crypto';
import type { Blocks } from '../base/turn-line.ts';
import { addressBytes, isWithin, type Prefix, parseAddress, prefixOf, unmapped } from '../dns/address.ts';
import { isLoopback } from '../dns/special-purpose.ts';
import { ascii } from './log.ts';

/** The client that makes a request. */
export interface Client {
  /** A canonical address, other text in quotes, or "unknown". Printable ASCII, at most 64 characters. */
  readonly client: string;
  /** Whether the rate limit does not apply to it. */
  readonly exempt: boolean;
  /** The source of the address: the connection, or the header of a trusted proxy. */
  readonly known: 'by-connection' | 'by-header';
}

/** Headers by lower-case name, as node:http has them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The proxies whose headers name the client. */
export interface ProxyTrust {
  /** The entry of X-Forwarded-For that counts, from the right, 1 being the last. At least 1. */
  readonly trustedHops: number;
  readonly trustedProxies: TrustedProxies;
}

/** The addresses that proxies connect from. */
export type TrustedProxies = 'all' | readonly Prefix[];

/**
 * Tells clients apart (svc-api(5), RATE LIMIT). `peer` is the address at the other end of the connection,
 * with or without a port. If X-Forwarded-For has fewer entries than hops are trusted the first counts,
 * since trusted proxies wrote them all. The headers of others say nothing, except that the request did
 * not start on this host. Throws a RangeError for less than one trusted hop.
 */
export function identifyClient(peer: string | undefined, headers: Headers, trust: ProxyTrust): Client {
  const { trustedHops, trustedProxies } = trust;
  if (!(trustedHops >= 1)) throw new RangeError('trustedHops must be at least 1');
  const edge = textOf(headers['edge-client-ip']);
  const forwarded = textOf(headers['x-forwarded-for']);
  const direct = clientOf(peer ?? '');
  if (edge === '' && forwarded === '') {
    return { client: direct, exempt: isLoopback(direct), known: 'by-connection' };
  }
  if (!isTrustedProxy(direct, trustedProxies)) {
    return { client: direct, exempt: false, known: 'by-connection' };
  }
  const claimed = edge === '' ? entryOf(forwarded, trustedHops) : entryOf(edge, 1);
  return { client: clientOf(claimed), exempt: false, known: 'by-header' };
}

/** Whether a proxy may connect from there. `client` is as `identifyClient` writes it. */
export function isTrustedProxy(client: string, trusted: TrustedProxies): boolean {
  if (trusted === 'all') return true;
  const address = parseAddress(client);
  return address !== undefined && trusted.some((prefix) => isWithin(prefix, addressBytes(address)));
}

/** Several headers of one name are one list (RFC 9110 5.3). */
function textOf(header: string | readonly string[] | undefined): string {
  return (typeof header === 'string' ? header : (header ?? []).join(',')).trim();
}

/** The entry at a position from the right. Empty ones do not count (RFC 9110 5.6.1). */
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

/** A slice of a string keeps the whole in memory: here a whole header, for as long as its bucket lives. */
function copied(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function addressOf(host: string): string | undefined {
  const address = parseAddress(withoutZone(host));
  return address === undefined ? undefined : unmapped(address);
}

/** Without the zone index (RFC 4007 11), which means something only on the host that wrote it. */
function withoutZone(host: string): string {
  const [address = ''] = host.split('%', 1);
  return address.includes(':') ? address : host;
}

function withoutPort(host: string): string {
  return host.replace(/^\[(.*)\](?::\d*)?$/, '$1').replace(/^([^:]*):\d*$/, '$1');
}

/** The longest text of a client, in characters. */
const LONGEST = 64;

/**
 * Text that is not an address still tells clients apart. Quotes keep it from passing for an address, and
 * a digest replaces long text, so that nobody can fill the memory with it.
 */
function bounded(text: string): string {
  const escaped = ascii(JSON.stringify(text));
  if (escaped.length <= LONGEST) return escaped;
  const digest = createHash('sha256').update(text).digest('base64url');
  return `"sha256:${digest}"`;
}

/**
 * What one subscriber is usually given of IPv6 (RFC 6177 2): somebody who has a /64 can come from as many
 * addresses as they like.
 */
const SUBSCRIBER_PREFIX = 64;

/**
 * Who a client (see `identifyClient`) is where things are shared out: connections, streams, jobs and kept
 * results go by the /64 of an IPv6 address, the rate limit by as many bits as the operator says. Any other
 * client is itself.
 */
export function clientNetwork(client: string, bits = SUBSCRIBER_PREFIX): string {
  if (bits >= 128 || !client.includes(':') || parseAddress(client) === undefined) return client;
  return prefixOf(client, bits);
}

/** The client that asks for a job, and the hash of the token that cancels the job. */
export interface Requester extends Pick<Client, 'client' | 'exempt'> {
  readonly cancelHash?: string;
}

/** The party of exempt clients, which nobody can join by claiming an address. */
export const THIS_HOST = 'this host';

/** The party whose turns and room the jobs of a client take. */
export function partyOf({ client, exempt }: Requester): string {
  return exempt ? THIS_HOST : clientNetwork(client);
}

/** How far apart the jobs of one party stand while they wait. */
const PARTY_STEP = 64;

/** The blocks of IPv6 above a party's /64: usually that of a subscriber (RFC 6177 2), and that of a site. */
const BLOCKS6 = [
  { bits: 56, step: PARTY_STEP / 2 },
  { bits: 48, step: PARTY_STEP / 4 },
] as const;

/** The block of IPv4 above a party's address. */
const BLOCK4 = { bits: 24, step: PARTY_STEP / 4 } as const;

/**
 * The blocks that a party shares turns with, the party itself first and the largest last: somebody who has a whole /48 or
 * /24 has four times the turns of one party, however many parties that is.
 */
export function blocksOf(party: string): Blocks {
  const [address = ''] = party.split('/', 1);
  const own = { name: party, step: PARTY_STEP } as const;
  if (parseAddress(address) === undefined) return [own];
  const above = address.includes(':') ? BLOCKS6 : [BLOCK4];
  return [own, ...above.map(({ bits, step }) => ({ name: prefixOf(address, bits), step }))];
}
