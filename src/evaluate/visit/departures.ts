/* The ways in which resolvers leave the servers of a zone. */

import type { End } from '../end.ts';
import type { Fraction } from '../fraction.ts';
import type { Arrival } from './arrivals.ts';
import type { Spent } from './waits.ts';

/** A way to leave: where to, after how long, and how likely that is. */
export interface Departure {
  readonly to: Onward;
  readonly spent: Spent;
  readonly weight: Fraction;
}

/** The next zone of a resolver, or its end. */
export type Onward =
  | { readonly kind: 'zone'; readonly arrival: Arrival }
  | { readonly kind: 'end'; readonly end: End };

export function endedIn(end: End): Onward {
  return { kind: 'end', end };
}
