import { getOrMake } from '../get-or-make.ts';
import { leastCommonMultiple } from './divisors.ts';
import { type Fraction, lowestTerms } from './fraction.ts';

/** The chances of a resolver that tries servers in random order until one is usable. */
interface FirstUsable {
  /** For each server, given that it is usable: the probability that it comes first among the usable ones. */
  readonly first: readonly Fraction[];
  /** The probability that no server is usable. */
  readonly none: Fraction;
}

/**
 * Takes the independent probabilities that each server is usable. With K the number of usable ones among
 * the others, a usable server comes first with E[1 / (1 + K)], as the order is symmetric: svc-model(7),
 * RESOLVER VIEW.
 */
export function firstUsable(usable: readonly Fraction[]): FirstUsable {
  const chances = usable.map(lowestTerms);
  const counts = chances.reduce(withServer, [1n]);
  const scale = chances.reduce((product, { denominator }) => product * denominator, 1n);
  // Most servers have the same chance, so most of these values are the same.
  const known = new Map<string, Fraction>();
  const first = chances.map((chance) =>
    getOrMake(known, `${chance.numerator}/${chance.denominator}`, () =>
      expectedShare(withoutServer(counts, chance), scale / chance.denominator),
    ),
  );
  return { first, none: { numerator: counts[0] ?? 0n, denominator: scale } };
}

/**
 * The distribution of the number of usable servers, as a polynomial with integer coefficients:
 * coefficient k, over the product of all denominators, is the probability of k usable ones.
 */
function withServer(counts: readonly bigint[], { numerator, denominator }: Fraction): bigint[] {
  const dead = denominator - numerator;
  const longer = [...counts, 0n];
  return longer.map((count, k) => count * dead + (counts[k - 1] ?? 0n) * numerator);
}

/** Divides one server's factor (dead + usable·x) out again; the division is exact. */
function withoutServer(counts: readonly bigint[], { numerator, denominator }: Fraction): bigint[] {
  const dead = denominator - numerator;
  const others: bigint[] = [];
  if (dead === 0n) return counts.slice(1).map((count) => count / numerator);
  for (const count of counts.slice(0, -1)) {
    const before = others.at(-1) ?? 0n;
    others.push((count - before * numerator) / dead);
  }
  return others;
}

function expectedShare(others: readonly bigint[], scale: bigint): Fraction {
  const common = others.reduce((product, _, k) => leastCommonMultiple(product, BigInt(k + 1)), 1n);
  const sum = others.reduce((total, count, k) => total + (count * common) / BigInt(k + 1), 0n);
  return lowestTerms({ numerator: sum, denominator: common * scale });
}
