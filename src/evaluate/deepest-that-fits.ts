import type { Pausable } from '../pausable.ts';

/** What came of trying a depth, and the work that it took to unfold it. */
export interface DepthFitting<T> {
  readonly found: T;
  readonly work: number;
}

/** Tries a depth; undefined where that takes more work than there may be. */
export type TryDepth<T> = (depth: number) => Pausable<DepthFitting<T> | undefined>;

/**
 * What is found at a depth that fits, while the next one does not: 0 always fits, and `tooDeep` does not. To try one that
 * does not fit costs as much as there may be, so a shallow one is tried first, and then as deep as its growth lets expect.
 */
export function* deepestThatFits<T>(
  tooDeep: number,
  mostWork: number,
  attempt: TryDepth<T>,
): Pausable<{ readonly found: T; readonly depth: number }> {
  const first = yield* attempt(0);
  if (first === undefined) throw new Error('the first step takes more than any work');
  let fits = { depth: 0, ...first };
  let exceeds = tooDeep;
  while (exceeds - fits.depth > 1) {
    const expected = Math.max(1, levelsToGo(fits, first.work, mostWork));
    const depth = fits.depth + Math.min(expected, (exceeds - fits.depth) >> 1);
    const attempted = yield* attempt(depth);
    if (attempted === undefined) exceeds = depth;
    else fits = { depth, ...attempted };
  }
  return fits;
}

/** Few enough to take little work, and enough to see how that grows. */
const FIRST_LEVELS = 4;

/** How many more levels fit if each takes as many times the work of the one above as they did so far. */
function levelsToGo(
  { depth, work }: { readonly depth: number; readonly work: number },
  firstWork: number,
  mostWork: number,
): number {
  if (depth === 0) return FIRST_LEVELS;
  const growth = Math.log(work / firstWork) / depth;
  return growth > 0 ? Math.floor(Math.log(mostWork / work) / growth) : Number.POSITIVE_INFINITY;
}
