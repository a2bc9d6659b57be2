/**
 * An exact rational number, at least 0; the denominator is positive. It need not be in lowest terms:
 * arithmetic is exact either way, and reducing every intermediate value would be most of its cost.
 */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** 0: no path. */
export const ZERO: Fraction = { numerator: 0n, denominator: 1n };

/** 1: all paths. */
export const ONE: Fraction = { numerator: 1n, denominator: 1n };

/** One of `parts` equal shares of the whole. */
export function share(parts: number): Fraction {
  return parts === 1 ? ONE : { numerator: 1n, denominator: BigInt(parts) };
}

/** The same number in lowest terms: needed where values pile up on each other, and for output. */
export function lowestTerms(fraction: Fraction): Fraction {
  const { numerator, denominator } = fraction;
  if (numerator === 0n) return ZERO;
  const divisor = greatestCommonDivisor(denominator, numerator);
  if (divisor === 1n) return fraction;
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** a + b, over their least common denominator. */
export function add(a: Fraction, b: Fraction): Fraction {
  return sum([a, b]);
}

/** The sum, over the least common denominator; 0 of none. */
export function sum(fractions: readonly Fraction[]): Fraction {
  const [first] = fractions;
  if (first !== undefined && fractions.length === 1) return first;
  const denominator = commonDenominator(fractions.map((fraction) => fraction.denominator));
  return {
    numerator: fractions.reduce(
      (total, fraction) => total + fraction.numerator * (denominator / fraction.denominator),
      0n,
    ),
    denominator,
  };
}

/** a × b. */
export function multiply(a: Fraction, b: Fraction): Fraction {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
}

/** a / b; b must not be zero. */
export function divide(a: Fraction, b: Fraction): Fraction {
  return { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator };
}

/** The least number that all of these divide; 1 of none. */
export function commonDenominator(denominators: Iterable<bigint>): bigint {
  let common = 1n;
  for (const denominator of new Set(denominators)) common = leastCommonMultiple(common, denominator);
  return common;
}

/** Whether both are the same number. */
export function equals(a: Fraction, b: Fraction): boolean {
  return compare(a, b) === 0;
}

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The exact value as text, in lowest terms: "1/8", "1", "0". */
export function fractionText(fraction: Fraction): string {
  const { numerator, denominator } = lowestTerms(fraction);
  return denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`;
}

/** Reads what `fractionText` writes: for those who have only a result document. */
export function readFraction(text: string): Fraction {
  const [numerator = '0', denominator = '1'] = text.split('/');
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}

/** The nearest double, also where numerator and denominator are too large for one. */
export function toNumber({ numerator, denominator }: Fraction): number {
  if (isExact(numerator) && isExact(denominator)) return Number(numerator) / Number(denominator);
  const shift = Math.max(0, bits(denominator) - bits(numerator) + ENOUGH_BITS);
  const shifted = numerator << BigInt(shift);
  // The last bit tells that there is more, so that what lies halfway is rounded as it must be.
  const quotient = ((shifted / denominator) << 1n) | (shifted % denominator === 0n ? 0n : 1n);
  return Number(quotient) / 2 ** (shift + 1);
}

/** More than a double has, whatever `bits` is off by. */
const ENOUGH_BITS = 64;

function isExact(value: bigint): boolean {
  return value <= Number.MAX_SAFE_INTEGER;
}

/** Bits in a value that is not negative, or up to three more. */
function bits(value: bigint): number {
  return digitsOf(value) * 4;
}

/** How many hexadecimal digits a value has that is not negative. */
export function digitsOf(value: bigint): number {
  return value.toString(16).length;
}

/** Of two whole numbers, not both 0. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let x = a;
  let y = b;
  while (y !== 0n) {
    const rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}

/** Of two positive whole numbers. */
export function leastCommonMultiple(a: bigint, b: bigint): bigint {
  if (a % b === 0n) return a;
  if (b % a === 0n) return b;
  return (a / greatestCommonDivisor(a, b)) * b;
}
