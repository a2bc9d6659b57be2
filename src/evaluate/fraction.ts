import { greatestCommonDivisor } from './divisors.ts';

/** An exact rational number, at least 0, in lowest terms. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ZERO: Fraction = { numerator: 0n, denominator: 1n };
export const ONE: Fraction = { numerator: 1n, denominator: 1n };

/** numerator / denominator in lowest terms; the denominator must be positive. */
export function fraction(numerator: bigint, denominator: bigint): Fraction {
  if (numerator === 0n) return ZERO;
  const divisor = greatestCommonDivisor(denominator, numerator);
  if (divisor === 1n) return { numerator, denominator };
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** One of `parts` equal shares of the whole. */
export function share(parts: number): Fraction {
  return parts === 1 ? ONE : { numerator: 1n, denominator: BigInt(parts) };
}

/** a + b. */
export function add(a: Fraction, b: Fraction): Fraction {
  if (a.numerator === 0n) return b;
  if (b.numerator === 0n) return a;
  if (a.denominator === b.denominator) return fraction(a.numerator + b.numerator, a.denominator);
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

/** a × b. */
export function multiply(a: Fraction, b: Fraction): Fraction {
  if (a === ONE) return b;
  if (b === ONE) return a;
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** a / b; b must not be zero. */
export function divide(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** Whether both are the same number; both are in lowest terms. */
export function equals(a: Fraction, b: Fraction): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator;
}

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The exact value as text: "1/8", "1", "0". */
export function fractionText({ numerator, denominator }: Fraction): string {
  return denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`;
}

/** The nearest double, also where numerator and denominator are too large for one. */
export function toNumber({ numerator, denominator }: Fraction): number {
  const excess = Math.min(bits(numerator), bits(denominator)) - 1_000;
  if (excess <= 0) return Number(numerator) / Number(denominator);
  const shift = BigInt(excess);
  return Number(numerator >> shift) / Number(denominator >> shift);
}

function bits(value: bigint): number {
  return value.toString(16).length * 4;
}
