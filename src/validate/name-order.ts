import { labelsOf, type Name } from '../wire/name.ts';
import { compareOctets } from './octets-order.ts';

/** Negative, zero or positive as names sort in the canonical order of RFC 4034 6.1: by labels from the root on. */
export function compareNames(a: Name, b: Name): number {
  if (a === b) return 0;
  const [first, second] = [labelsOf(a).reverse(), labelsOf(b).reverse()];
  for (const [at, label] of first.entries()) {
    const other = second[at];
    if (other === undefined) return 1;
    const difference = compareOctets(label, other);
    if (difference !== 0) return difference;
  }
  return first.length - second.length;
}
