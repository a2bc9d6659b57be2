/* Tries in random order: with which probability each is the first that succeeds, and what was spent in vain before. */

import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import type { Fraction } from '../fraction.ts';
import { AT_ONCE, inTurn, NEVER, type Spent, sequence, together, type Waits, weighted } from './waits.ts';

/** Something that a resolver tries: an address, a name with all of its addresses, or many of these one after another. */
export interface Tried<T> {
  /** What may be found there, after how much; with `inVain` the probabilities sum to 1. */
  readonly found: readonly Found<T>[];
  /** What is spent where it is tried in vain. */
  readonly inVain: Waits;
}

/** Something that is found, so that no more is tried. */
export interface Found<T> {
  readonly what: T;
  readonly after: Waits;
}

/** There is nothing to try. */
export const NOTHING_TO_TRY: Tried<never> = { found: [], inVain: AT_ONCE };

/** One, and where that was in vain the other. */
export function oneAfterOther<T>(first: Tried<T>, second: Tried<T>): Tried<T> {
  if (first.inVain.size === 0 || second === NOTHING_TO_TRY) return first;
  const later = second.found.map(({ what, after }) => ({ what, after: sequence(first.inVain, after) }));
  return { found: [...first.found, ...later], inVain: sequence(first.inVain, second.inVain) };
}

/** One of these, each with its probability; they sum to 1. */
export function oneOf<T>(ways: readonly { readonly weight: Fraction; readonly tried: Tried<T> }[]): Tried<T> {
  const [first] = ways;
  if (first !== undefined && ways.length === 1) return first.tried;
  return {
    found: ways.flatMap(({ weight, tried }) =>
      tried.found.map(({ what, after }) => ({ what, after: weighted(after, weight) })),
    ),
    inVain: together(ways.map(({ weight, tried }) => weighted(tried.inVain, weight))),
  };
}

/**
 * All of these in random order, until something is found. Of n, the k that come before a certain one are each set of k with
 * the probability k! (n-1-k)! / n!; so it takes what each set of k spends in vain, summed over the sets: the coefficient of
 * x^k in the product of (1 + x v), v being what one of them spends. Void where that is more than `work` has left.
 */
export function inRandomOrder<T>(all: readonly Tried<T>[], work: Work): Tried<T> {
  if (all.length === 0) return NOTHING_TO_TRY;
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const vain = all.map(({ inVain }) => inVain).filter(({ size }) => size > 0);
  const ofAll = productOf(vain, work);
  const beforeSure = placed(ofAll, all.length);
  const beforeUnsure = new Map<Waits, Waits>();
  const before = ({ inVain }: Tried<T>): Waits =>
    inVain.size === 0
      ? beforeSure
      : getOrMake(beforeUnsure, inVain, () => {
          const others = [...vain];
          others.splice(others.indexOf(inVain), 1);
          return placed(productOf(others, work), all.length);
        });
  if (work.exceeded) return NOTHING_TO_TRY;
  return {
    found: all.flatMap((one) =>
      one.found.map(({ what, after }) => ({ what, after: sequence(before(one), after) })),
    ),
    inVain: vain.length === all.length ? (ofAll[vain.length] ?? NEVER) : NEVER,
  };
}

/** What comes before a certain one of so many, by how many others come before it. */
function placed(ofSets: readonly Waits[], count: number): Waits {
  let sets = 1n;
  const parts: Waits[] = [];
  for (const [k, waits] of ofSets.entries()) {
    if (k >= count) break;
    // n-1 over k sets have k members, all of them equally likely, and k is each number with 1/n.
    parts.push(weighted(waits, { numerator: 1n, denominator: BigInt(count) * sets }));
    sets = (sets * BigInt(count - 1 - k)) / BigInt(k + 1);
    if (sets === 0n) break;
  }
  return together(parts);
}

/** By k: the sum over all sets of k of what they spend. */
function productOf(vain: readonly Waits[], work: Work): readonly Waits[] {
  const alike = new Map<Spent, number>();
  const different: Waits[] = [];
  for (const waits of vain) {
    const spent = certainSpent(waits);
    if (spent === undefined) different.push(waits);
    else alike.set(spent, (alike.get(spent) ?? 0) + 1);
  }
  const factors = [
    ...[...alike].map(([spent, count]) => setsOfAlike(spent, count)),
    ...different.map((waits) => [AT_ONCE, waits]),
  ];
  return factors.reduce<readonly Waits[]>((product, factor) => timesFactor(product, factor, work), [AT_ONCE]);
}

/** What is spent for certain. */
function certainSpent(waits: Waits): Spent | undefined {
  if (waits.size !== 1) return undefined;
  for (const [spent, chance] of waits) if (chance.numerator === chance.denominator) return spent;
  return undefined;
}

/** Of many that spend the same. */
function setsOfAlike(spent: Spent, count: number): readonly Waits[] {
  const factor: Waits[] = [AT_ONCE];
  let [sets, sum] = [1n, 0];
  for (let k = 1; k <= count; k += 1) {
    sets = (sets * BigInt(count - k + 1)) / BigInt(k);
    sum = inTurn(sum, spent);
    factor.push(new Map([[sum, { numerator: sets, denominator: 1n }]]));
  }
  return factor;
}

function timesFactor(product: readonly Waits[], factor: readonly Waits[], work: Work): readonly Waits[] {
  const parts: Waits[][] = Array.from({ length: product.length + factor.length - 1 }, () => []);
  for (const [i, a] of product.entries())
    for (const [j, b] of factor.entries()) {
      if (work.spend(workOf('chance', a.size * b.size)) === 'exceeded') return [AT_ONCE];
      parts[i + j]?.push(sequence(a, b));
    }
  return parts.map((sums) => (sums.length === 1 ? (sums[0] ?? NEVER) : together(sums)));
}
