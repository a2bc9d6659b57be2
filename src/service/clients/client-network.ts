import { parseAddress } from '../../wire/address.ts';
import { prefixOf } from '../../wire/prefix.ts';

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
