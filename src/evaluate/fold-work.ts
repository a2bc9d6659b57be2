import { workOf } from '../explore/work.ts';
import type { Merged } from './branches.ts';
import { digitsOf } from './fraction.ts';

/** How much work, in steps, it was to fold a step that has so many picks. */
export function workOfFold({ distribution, ends, picks }: Merged & { readonly picks: number }): number {
  const digits = digitsOf(distribution.whole);
  return 1 + workOf('end', picks + ends) + workOf('endDigit', ends * digits);
}
