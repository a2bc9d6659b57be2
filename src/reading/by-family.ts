import { familyOf } from '../wire/address.ts';

/** Sorts IPv4 addresses before IPv6 addresses. */
export function byFamily(a: string, b: string): number {
  return familyOf(a) - familyOf(b);
}
