import { familyOf } from '../wire/address.ts';

/** Orders addresses for people: IPv4 first; those of a family keep their order. */
export function byFamily(a: string, b: string): number {
  return familyOf(a) - familyOf(b);
}
