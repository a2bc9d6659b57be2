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

/** Collects weighted ends and merges equal ones. */
export class Collector {
  readonly #collected: { readonly distribution: Distribution; readonly weight: Fraction }[] = [];

  add(end: End, weight: Fraction): void {
    this.addAll(certainly(end), weight);
  }

  /** Adds a whole distribution that is reached with this weight. */
  addAll(distribution: Distribution, weight: Fraction): void {
    this.#collected.push({ distribution, weight });
  }

  get distribution(): Distribution {
    const [first] = this.#collected;
    if (
      first !== undefined &&
      this.#collected.length === 1 &&
      first.weight.numerator === first.weight.denominator
    ) {
      return first.distribution;
    }
    return reduced(this.#sum());
  }

  #sum(): Distribution {
    const wholes = this.#collected.map(({ distribution, weight }) => distribution.whole * weight.denominator);
    const whole = commonDenominator(wholes);
    const portions = new Map<string, Portion>();
    this.#collected.forEach(({ distribution, weight }, i) => {
      const factor = weight.numerator * (whole / (wholes[i] ?? 1n));
      for (const [key, { end, parts }] of distribution.portions) {
        const known = portions.get(key);
        const more = parts * factor;
        portions.set(
          key,
          known === undefined ? { end, parts: more } : { end: known.end, parts: known.parts + more },
        );
      }
    });
    return { whole, portions };
  }
}

/** Divides the whole and all parts by their greatest common divisor. */
function reduced({ whole, portions }: Distribution): Distribution {
  let common = whole;
  for (const { parts } of portions.values()) {
    common = greatestCommonDivisor(common, parts);
    if (common === 1n) return { whole, portions };
  }
  const smaller = [...portions].map(
    ([key, { end, parts }]) => [key, { end, parts: parts / common }] as const,
  );
  return { whole: whole / common, portions: new Map(smaller) };
}
