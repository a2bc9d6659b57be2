import type { Blocked, QueryLimit } from '../../explore/recording.ts';
import { octetsText } from '../../octets.ts';
import { isGloballyReachable } from '../../wire/special-purpose.ts';

/** How much a query limit allows: "5000 queries", "16 MiB of replies". */
export function queryLimitWords({ limit, unit }: Pick<QueryLimit, 'limit' | 'unit'>): string {
  if (unit === undefined) return `${limit} queries`;
  switch (unit) {
    case 'packets':
      return `${limit} packets`;
    case 'octets':
      return `${octetsText(limit)} of replies`;
  }
}

/** Why policy forbids asking an address: for what it is, or because something is on somebody's list. */
export function whyBlocked({ reason, server }: BlockedEnd): BlockedReason {
  if (reason !== undefined) return reason;
  // An earlier version wrote it.
  return server !== null && isGloballyReachable(server.address) ? 'denied' : 'special-purpose';
}

/** Why policy forbids asking an address. */
export type BlockedReason = NonNullable<Blocked['reason']>;

interface BlockedEnd extends Pick<Blocked, 'reason'> {
  readonly server: { readonly address: string } | null;
}
