import type { Exchanged } from '../explore/recording.ts';

/** One try of an exchange, as it was recorded. */
export type Try = Exchanged['tries'][number];

/** What the network says of the other side; other codes are this host's own trouble. */
const NETWORK_SAYS: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);

/** Whether a query was sent and nothing at all came back from the server. */
export function isLost({ outcome, ignored }: Try): boolean {
  if (ignored.length > 0) return false;
  return outcome.kind === 'timeout' || (outcome.kind === 'unreachable' && NETWORK_SAYS.has(outcome.code));
}

/** Whether the server sent something, usable or not. */
export function isAnswered({ outcome, ignored }: Try): boolean {
  return outcome.kind === 'reply' || outcome.kind === 'case-mismatch' || ignored.length > 0;
}

/** Whether this host could not even send: forbidden by a firewall here, no address to send from. */
export function isOwnTrouble({ outcome }: Try): boolean {
  return outcome.kind === 'unreachable' && !NETWORK_SAYS.has(outcome.code);
}

/** The tries over one transport. */
export function triesOver(transport: Try['transport'], { tries }: Exchanged): readonly Try[] {
  return tries.filter((one) => one.transport === transport);
}
