import type { End } from '../../evaluate/end.ts';
import { byFamily } from '../../reading/by-family.ts';

/** A text that is equal for ends in one place, whichever address of a server was picked. */
export function placeKey({ server, zone, ...end }: End): string {
  const cause = 'cause' in end && end.cause !== undefined ? placeOf([end.cause]) : '';
  return [server?.name ?? '', zone, cause].join('\n');
}

/** Where ends of one place are: the server and its addresses, the zone, and where the cause is. */
export function placeOf(ends: readonly [End, ...End[]]): string {
  const [{ server, zone, ...first }] = ends;
  const addresses = [...new Set(ends.flatMap((end) => end.server?.address ?? []))].sort(byFamily);
  const place = server === null ? `zone ${zone}` : `${server.name} ${addresses.join(', ')} of ${zone}`;
  const cause = 'cause' in first ? first.cause : undefined;
  return cause === undefined || cause.server === null ? place : `${place}, because of ${placeOf([cause])}`;
}
