import type { ResourceRecord } from '../wire/record.ts';
import type { Heard } from './evidence.ts';

/** The SOA records with which a reply says whose denial it is (RFC 2308 2). */
export function soasOf({ exchanged: { outcome } }: Heard): readonly ResourceRecord[] {
  if (outcome.kind !== 'reply') return [];
  return outcome.authority.filter((record) => record.type === 'SOA' && record.class === undefined);
}

/** Whether the reply says that there is nothing. */
export function isNegative({ response }: Heard): boolean {
  return response.kind === 'nxdomain' || response.kind === 'nodata';
}
