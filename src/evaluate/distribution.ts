import { greatestCommonDivisor } from './divisors.ts';
import { type End, endKey } from './end.ts';
import { commonDenominator, type Fraction } from './fraction.ts';

/** An end, and how many parts of the whole distribution it has. */
interface Portion {
  readonly end: End;
  readonly parts: bigint;
}

/** The ends of a walk as parts of one whole. By `endKey`, so equal ends are merged. */
export interface Distribution {
  readonly whole: bigint;
  readonly portions: ReadonlyMap<string, Portion>;
}

/** The distribution of a walk that ends at once. */
export function certainly(end: End): Distribution {
  return { whole: 1n, portions: new Map([[endKey(end), { end, parts: 1n }]]) };
}

/** Collects weighted ends, and distributions reached with some weight, and merges equal ends. */
export class Collector {
  readonly #ends: { readonly end: End; readonly weight: Fraction }[] = [];
  readonly #distributions: { readonly distribution: Distribution; readonly weight: Fraction }[] = [];

  add(end: End, weight: Fraction): void {
    this.#ends.push({ end, weight });
  }

  /** Adds a whole distribution that is reached with this weight. */
  addAll(distribution: Distribution, weight: Fraction): void {
    this.#distributions.push({ distribution, weight });
  }

  /** How many ends were added, those of distributions included. */
  get count(): number {
    return this.#distributions.reduce(
      (sum, { distribution }) => sum + distribution.portions.size,
      this.#ends.length,
    );
  }

  get distribution(): Distribution {
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

  #portions(whole: bigint): Map<string, Mutable> {
    const portions = new Map<string, Mutable>();
    for (const { end, weight } of this.#ends) {
      put(portions, endKey(end), end, weight.numerator * (whole / weight.denominator));
    }
    for (const { distribution, weight } of this.#distributions) {
      const factor = weight.numerator * (whole / (distribution.whole * weight.denominator));
      for (const [key, { end, parts }] of distribution.portions) put(portions, key, end, parts * factor);
    }
    return portions;
  }
}

/** A portion that is still growing. */
interface Mutable {
  readonly end: End;
  parts: bigint;
}

function put(portions: Map<string, Mutable>, key: string, end: End, parts: bigint): void {
  const known = portions.get(key);
  if (known === undefined) portions.set(key, { end, parts });
  else known.parts += parts;
}

/** Divides the whole and all parts by their greatest common divisor. */
function reduced(whole: bigint, portions: Map<string, Mutable>): Distribution {
  let common = whole;
  for (const { parts } of portions.values()) {
    common = greatestCommonDivisor(common, parts);
    if (common === 1n) return { whole, portions };
  }
  for (const portion of portions.values()) portion.parts /= common;
  return { whole: whole / common, portions };
}
