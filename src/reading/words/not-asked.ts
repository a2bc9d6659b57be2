import type { QueryLimit } from '../../explore/recording.ts';
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

/** Why policy forbids asking an address: for what it is, or because it is on somebody's list. */
export function whyBlocked(end: {
  readonly server: { readonly address: string } | null;
}): 'special' | 'denied' {
  return end.server !== null && isGloballyReachable(end.server.address) ? 'denied' : 'special';
}
