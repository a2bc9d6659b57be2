import { type Fraction, fraction, multiply, ONE, subtract } from './fraction.ts';

/** The chances of a resolver that tries servers in random order until one is usable (MODEL 7). */
export interface FirstUsable {
  /** For each server, given that it is usable: the probability that it comes first among the usable ones. */
  readonly first: readonly Fraction[];
  /** The probability that no server is usable. */
  readonly none: Fraction;
}

/**
 * From the independent probabilities that each server is usable. With K the number of usable ones
 * among the others, a usable server comes first with E[1 / (1 + K)], by symmetry of the order.
 */
export function firstUsable(usable: readonly Fraction[]): FirstUsable {
  const counts = usable.reduce(withServer, [1n]);
  const known = new Map<string, Fraction>();
  const first = usable.map((chance) => {
    const key = `${chance.numerator}/${chance.denominator}`;
    const value =
      known.get(key) ?? expectedShare(withoutServer(counts, chance), scaleWithout(usable, chance));
    known.set(key, value);
    return value;
  });
  const none = usable.map((chance) => subtract(ONE, chance)).reduce(multiply, ONE);
  return { first, none };
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

function scaleWithout(usable: readonly Fraction[], chance: Fraction): bigint {
  return usable.reduce((product, { denominator }) => product * denominator, 1n) / chance.denominator;
}

function expectedShare(others: readonly bigint[], scale: bigint): Fraction {
  const common = others.reduce((product, _, k) => lcm(product, BigInt(k + 1)), 1n);
  const sum = others.reduce((total, count, k) => total + (count * common) / BigInt(k + 1), 0n);
  return fraction(sum, common * scale);
}

function lcm(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}
