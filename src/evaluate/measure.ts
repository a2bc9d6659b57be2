import { add, type Fraction, multiply, ONE, share } from './fraction.ts';

/** What a fold over paths adds up: shares of probability, or the paths themselves. */
export interface Measure<W> {
  /** The weight of the one path that has picked nothing yet. */
  readonly whole: W;
  /** The weight of one of `parts` equal picks. */
  share(parts: number): W;
  add(a: W, b: W): W;
  multiply(a: W, b: W): W;
}

/** Every pick is uniform: exact probabilities. */
export const PROBABILITY: Measure<Fraction> = { whole: ONE, share, add, multiply };

/** Every pick is one: the number of distinct paths, an exact integer. */
export const PATHS: Measure<bigint> = {
  whole: 1n,
  share: () => 1n,
  add: (a, b) => a + b,
  multiply: (a, b) => a * b,
};
