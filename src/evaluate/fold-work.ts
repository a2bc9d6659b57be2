import type { Merged } from './branches.ts';
import { digitsOf } from './fraction.ts';

/** How many picks or ends are as much work as one step. */
export const ENDS_PER_STEP = 16;

/** How many hexadecimal digits make a number as much work again as a short one. */
export const DIGITS_PER_NUMBER = 256;

/** How much work, in steps, it was to fold a step that has so many picks. */
export function workOfFold({ distribution, ends, picks }: Merged & { readonly picks: number }): number {
  const digits = digitsOf(distribution.whole);
  return 1 + (picks + ends * (1 + digits / DIGITS_PER_NUMBER)) / ENDS_PER_STEP;
}
