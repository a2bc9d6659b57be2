import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import {
  digitsOf,
  equals,
  type Fraction,
  fractionText,
  leastCommonMultiple,
  lowestTerms,
  ONE,
  ZERO,
} from '../fraction.ts';

/**
 * Takes the independent probabilities that each server is usable. With K the number of usable ones among
 * the others, a usable server comes first with E[1 / (1 + K)], as the order is symmetric: svc-model(7),
 * RESOLVER VIEW. Servers that are usable for certain, or never, take no arithmetic, and most are one or the
 * other; for the rest it grows with the square of their number. Void where that is more than `work` has left.
 */
export function firstUsable(usable: readonly Fraction[], work: Work): FirstUsable {
  const chances = usable.map(lowestTerms);
  const sure = chances.filter((chance) => equals(chance, ONE)).length;
  const unsure = chances.filter((chance) => chance.numerator > 0n && !equals(chance, ONE));
  if (work.spend(workFor(unsure)) === 'exceeded') return { first: [], none: ZERO };
  const counts = unsure.reduce<readonly bigint[]>(withServer, [1n]);
  const scale = unsure.reduce((product, { denominator }) => product * denominator, 1n);
  // Most servers have the same chance, so most of these values are the same.
  const known = new Map<string, Fraction>([['0', ZERO]]);
  if (sure > 0) known.set('1', expectedShare(counts, sure, scale));
  for (const chance of unsure) {
    getOrMake(known, fractionText(chance), () =>
      expectedShare(withoutServer(counts, chance), sure + 1, scale / chance.denominator),
    );
  }
  return {
    first: chances.map((chance) => known.get(fractionText(chance)) ?? ZERO),
    none: sure > 0 ? ZERO : { numerator: counts[0] ?? 0n, denominator: scale },
  };
}

/** The chances of a resolver that tries servers in random order until one is usable. */
interface FirstUsable {
  /** For each server, given that it is usable: the probability that it comes first among the usable ones. */
  readonly first: readonly Fraction[];
  /** The probability that no server is usable. */
  readonly none: Fraction;
}

/** Each server changes every number of the distribution: there are as many as servers, with the digits of all. */
function workFor(unsure: readonly Fraction[]): number {
  if (unsure.length < 2) return 0;
  const pairs = unsure.length ** 2;
  const digits = unsure.reduce((sum, { denominator }) => sum + digitsOf(denominator), 0);
  return workOf('chance', pairs) + workOf('chanceDigit', pairs * digits);
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
  for (const count of counts.slice(0, -1)) {
    const before = others.at(-1) ?? 0n;
    others.push((count - before * numerator) / dead);
  }
  return others;
}

/** E[1 / (least + K)], K being distributed like `counts` over `scale`. */
function expectedShare(counts: readonly bigint[], least: number, scale: bigint): Fraction {
  const common = counts.reduce((product, _, k) => leastCommonMultiple(product, BigInt(least + k)), 1n);
  const sum = counts.reduce((total, count, k) => total + (count * common) / BigInt(least + k), 0n);
  return lowestTerms({ numerator: sum, denominator: common * scale });
}
