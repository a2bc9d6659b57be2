import type { Step, Walk } from './step.ts';
import { bottomUp } from './step-order.ts';
import { Lookahead } from './unfolding/lookahead.ts';
import { unfold } from './unfolding/unfold.ts';
import { type UnfoldingFacts, unfoldingFactsOf } from './unfolding/unfolding-facts.ts';
import type { MainWalk } from './world.ts';

/**
 * Unfolds a recording and folds its steps. Rings of lookups can make that grow without bound. Where it
 * would take more work than `scope.maxWork`, steps below the greatest depth that fits are cut off as
 * `work-limit`: breadth first, and the same in every run.
 */
export function withinWork<T>(walk: MainWalk, fold: Folding<T>): T {
  return deepestWithin(walk, fold, unfoldingFactsOf(walk));
}

/** The steps of a recording. */
export interface Unfolded {
  readonly start: Walk;
  /** Each after all that it leads to. */
  readonly steps: readonly Step[];
  /** Whether these are all that there are, as far as the limit of work goes. */
  readonly reach: 'whole' | 'limited';
}

/** Folds steps; undefined where that would take more than `mostWork`. */
type Folding<T> = (unfolded: Unfolded, mostWork: number) => T | undefined;

/** As `withinWork`, for the resolver view alone, which may do with fewer steps. */
export function resolvingWithinWork<T>(walk: MainWalk, fold: Folding<T>): T {
  const facts = unfoldingFactsOf(walk);
  return deepestWithin(walk, fold, facts, new Lookahead(facts, walk.recording.scope.maxWork));
}

function deepestWithin<T>(
  { recording }: MainWalk,
  fold: Folding<T>,
  facts: UnfoldingFacts,
  foresight?: Lookahead,
): T {
  const { maxDepth, maxWork } = recording.scope;
  // The first step alone always fits.
  const mostWork = (depth: number) => (depth === 0 ? Number.POSITIVE_INFINITY : maxWork);
  const unfolded = (depth: number) => unfold(facts, depth, mostWork(depth), foresight);
  const folded = (start: Walk, depth: number) => {
    const reach = depth === maxDepth ? 'whole' : 'limited';
    return fold({ start, steps: bottomUp(start), reach }, mostWork(depth));
  };
  const both = (depth: number): DepthFitting<T> | undefined => {
    const start = unfolded(depth);
    const found = start && folded(start.found, depth);
    return found && { found, work: start.work };
  };
  // Less deep can be more work, because what is cut off at one depth is not reused at another: so the whole is tried by itself.
  const whole = unfolded(maxDepth);
  // To fold takes longer than to unfold, so what can be unfolded is found first.
  const { found, depth } =
    whole === undefined
      ? deepestThatFits(maxDepth, maxWork, unfolded)
      : { found: whole.found, depth: maxDepth };
  return folded(found, depth) ?? deepestThatFits(depth, maxWork, both).found;
}

/** What came of trying a depth, and the work that it took to unfold it. */
interface DepthFitting<T> {
  readonly found: T;
  readonly work: number;
}

/** Tries a depth; undefined where that takes more work than there may be. */
export type TryDepth<T> = (depth: number) => DepthFitting<T> | undefined;

/**
 * What is found at a depth that fits, while the next one does not: 0 always fits, and `tooDeep` does not. To try one that
 * does not fit costs as much as there may be, so a shallow one is tried first, and then as deep as its growth lets expect.
 */
export function deepestThatFits<T>(
  tooDeep: number,
  mostWork: number,
  attempt: TryDepth<T>,
): { readonly found: T; readonly depth: number } {
  const first = attempt(0);
  if (first === undefined) throw new Error('the first step takes more than any work');
  let fits = { depth: 0, ...first };
  let exceeds = tooDeep;
  while (exceeds - fits.depth > 1) {
    const expected = Math.max(1, levelsToGo(fits, first.work, mostWork));
    const depth = fits.depth + Math.min(expected, (exceeds - fits.depth) >> 1);
    const attempted = attempt(depth);
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
