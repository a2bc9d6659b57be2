import { leastCommonMultiple } from './divisors.ts';
import { type Fraction, fraction } from './fraction.ts';

/**
 * Parts of a whole: a rational number that, unlike a `Fraction`, need not be in lowest terms. Sums of
 * many small shares are exact either way, but to reduce each of them is most of what they would cost.
 */
export interface Weight {
  readonly parts: bigint;
  readonly whole: bigint;
}

/** All paths. */
export const ALL: Weight = { parts: 1n, whole: 1n };

/** No path. */
export const NONE: Weight = { parts: 0n, whole: 1n };

/** Both one after the other. */
export function both(a: Weight, b: Weight): Weight {
  return { parts: a.parts * b.parts, whole: a.whole * b.whole };
}

/** The weight in lowest terms. */
export function asFraction({ parts, whole }: Weight): Fraction {
  return fraction(parts, whole);
}

/** The least whole that all of these divide; 1 of none. */
export function commonWhole(wholes: Iterable<bigint>): bigint {
  let common = 1n;
  for (const whole of new Set(wholes)) common = leastCommonMultiple(common, whole);
  return common;
}

/** The sum, over the common whole. */
export function sum(weights: readonly Weight[]): Weight {
  const whole = commonWhole(weights.map((weight) => weight.whole));
  return {
    parts: weights.reduce((total, weight) => total + weight.parts * (whole / weight.whole), 0n),
    whole,
  };
}
