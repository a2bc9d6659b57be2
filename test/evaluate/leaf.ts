/** Where enumerated paths end, with exact shares: what the brute force counts in. */

/** A rational that is never reduced: [numerator, denominator]. */
export type Ratio = readonly [bigint, bigint];

export interface Leaf {
  /** Text that is equal exactly for ends that merge. */
  readonly end: string;
  readonly kind: string;
  readonly cause?: Leaf;
  readonly addresses: readonly string[];
  readonly p: Ratio;
  readonly ms: number;
}

/** Ends that stand for what was not examined. */
export const LIMITS: ReadonlySet<string> = new Set(['depth-limit', 'query-limit', 'blocked']);

/** An end that is certain and took no time. */
export function leaf(
  kind: string,
  { name, type }: { readonly name: string; readonly type: string },
  zone: string,
  server: string | null,
  text: string,
): Leaf {
  return {
    end: [kind, name, type, zone, server ?? '-', text].join('|'),
    kind,
    addresses: [],
    p: [1n, 1n],
    ms: 0,
  };
}

export function times([a, b]: Ratio, [c, d]: Ratio): Ratio {
  return [a * c, b * d];
}

export function plus([a, b]: Ratio, [c, d]: Ratio): Ratio {
  return b === d ? [a + c, b] : [a * d + c * b, b * d];
}

export function lowest([n, d]: Ratio): Ratio {
  let [x, y] = [n, d];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? [0n, 1n] : [n / x, d / x];
}

/** Leaves with equal ends made one; the times of all but the first are lost. */
export function mergeLeaves(leaves: readonly Leaf[]): Leaf[] {
  const merged = new Map<string, Leaf>();
  for (const one of leaves) {
    const known = merged.get(one.end);
    merged.set(one.end, known === undefined ? one : { ...known, p: plus(known.p, one.p) });
  }
  return [...merged.values()].map((one) => ({ ...one, p: lowest(one.p) }));
}
