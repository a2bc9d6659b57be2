import { workOf } from '../base/work.ts';
import { type End, endKey } from './end.ts';
import {
  commonDenominator,
  digitsOf,
  type Fraction,
  greatestCommonDivisor,
  lowestTerms,
} from './fraction.ts';

/** Ends as parts of one whole: all of a walk, or some. Equal ends are one object, see `DistinctEnds`. */
export interface Distribution<E = End> {
  readonly whole: bigint;
  /** How many parts each end has. */
  readonly portions: ReadonlyMap<E, bigint>;
}

/** An end and its exact probability. */
export interface Outcome {
  readonly end: End;
  readonly probability: Fraction;
}

/** The distribution of a walk that ends at once. */
export function certainly<E>(end: E): Distribution<E> {
  return { whole: 1n, portions: new Map([[end, 1n]]) };
}

/** Ends, in parts of a whole, that are reached with some weight. */
interface Reached<E> {
  readonly distribution: Distribution<E>;
  readonly weight: Fraction;
}

/** Collects weighted ends, and distributions reached with some weight, and merges equal ends. */
export class Collector<E = End> {
  readonly #ends: { readonly end: E; readonly weight: Fraction }[] = [];
  readonly #distributions: Reached<E>[] = [];

  add(end: E, weight: Fraction): void {
    this.#ends.push({ end, weight });
  }

  /** Adds a whole distribution that is reached with this weight. */
  addAll(distribution: Distribution<E>, weight: Fraction): void {
    this.#distributions.push({ distribution, weight });
  }

  /** How many ends were added, those of distributions included. */
  get count(): number {
    return this.#distributions.reduce(
      (sum, { distribution }) => sum + distribution.portions.size,
      this.#ends.length,
    );
  }

  get distribution(): Distribution<E> {
    const [first, second] = this.#distributions;
    const only = second === undefined && this.#ends.length === 0 ? first : undefined;
    if (only !== undefined && only.weight.numerator === only.weight.denominator) return only.distribution;
    const whole = this.#commonWhole();
    return reduced(whole, this.#portions(whole));
  }

  /** A whole that everything collected can be given in parts of. */
  #commonWhole(): bigint {
    return commonDenominator([
      ...this.#ends.map(({ weight }) => weight.denominator),
      ...this.#distributions.map(({ distribution, weight }) => distribution.whole * weight.denominator),
    ]);
  }

  #portions(whole: bigint): Map<E, bigint> {
    const portions = new Map<E, bigint>();
    for (const { end, weight } of this.#ends)
      include(portions, end, weight.numerator * (whole / weight.denominator));
    for (const { distribution, weight } of this.#distributions) {
      const factor = weight.numerator * (whole / (distribution.whole * weight.denominator));
      for (const [end, parts] of distribution.portions) include(portions, end, parts * factor);
    }
    return portions;
  }
}

/** Adds parts to those that an end has. */
export function include<E>(portions: Map<E, bigint>, end: E, parts: bigint): void {
  const known = portions.get(end);
  portions.set(end, known === undefined ? parts : known + parts);
}

/** Divides the whole and all parts by their greatest common divisor. */
function reduced<E>(whole: bigint, portions: Map<E, bigint>): Distribution<E> {
  let common = whole;
  for (const parts of portions.values()) {
    common = greatestCommonDivisor(common, parts);
    if (common === 1n) return { whole, portions };
  }
  for (const [end, parts] of portions) portions.set(end, parts / common);
  return { whole: whole / common, portions };
}

/** Ends with their probabilities: most probable first; ties by kind, question, server. */
export function outcomesOf({ whole, portions }: Distribution): readonly Outcome[] {
  return [...portions]
    .map(([end, parts]) => ({ end, parts, key: endKey(end) }))
    .sort((a, b) => byParts(b.parts, a.parts) || byText(a.key, b.key))
    .map(({ end, parts }) => ({
      end,
      probability: lowestTerms({ numerator: parts, denominator: whole }),
    }));
}

function byParts(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `endKey` starts with kind, question and server. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How much work, in steps, it was to fold a step that has so many picks: `ends` counts equal ones each time. */
export function workOfFold({
  distribution,
  ends,
  picks,
}: {
  readonly distribution: Distribution<unknown>;
  readonly ends: number;
  readonly picks: number;
}): number {
  return 1 + workOf('end', picks + ends) + workOf('endDigit', ends * digitsOf(distribution.whole));
}
