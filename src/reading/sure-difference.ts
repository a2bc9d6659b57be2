import { add, compare, type Fraction, ZERO } from '../evaluate/fraction.ts';

/** What comes of something, by what users get; with what is unknown, the shares sum to 1. */
export interface KnownShares {
  readonly known: ReadonlyMap<string, Fraction>;
  /** Not examined: any of it may be any of the known, or something else. */
  readonly unknown: Fraction;
}

/**
 * What differs for certain, whatever the unknown shares turn out to be: what users get, or only how often.
 * `nothing` does not say that both are the same, unless nothing is unknown.
 */
export function sureDifference(one: KnownShares, other: KnownShares): 'nothing' | 'contents' | 'shares' {
  const ranges = [...new Set([...one.known.keys(), ...other.known.keys()])].map(
    (key) => [rangeOf(one, key), rangeOf(other, key)] as const,
  );
  const apart = ranges.filter(([a, b]) => compare(a.most, b.least) < 0 || compare(b.most, a.least) < 0);
  if (apart.length === 0) return 'nothing';
  return apart.flat().some(({ most }) => compare(most, ZERO) === 0) ? 'contents' : 'shares';
}

function rangeOf({ known, unknown }: KnownShares, key: string): { least: Fraction; most: Fraction } {
  const least = known.get(key) ?? ZERO;
  return { least, most: add(least, unknown) };
}
