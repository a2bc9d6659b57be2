import type { Pausable } from '../pausable.ts';
import { bottomUp } from './bottom-up.ts';
import { type DepthFitting, deepestThatFits } from './deepest-that-fits.ts';
import type { MainWalk } from './evaluated-world.ts';
import type { Step, Walk } from './step.ts';
import { Foresight } from './unfolding/foresight.ts';
import { landscapeOf } from './unfolding/landscape.ts';
import { unfold } from './unfolding/unfold.ts';

/** The steps of a recording. */
export interface Unfolded {
  readonly start: Walk;
  /** Each after all that it leads to. */
  readonly steps: readonly Step[];
  /** Whether these are all that there are, as far as the limit of work goes. */
  readonly reach: 'whole' | 'limited';
}

/** Folds steps; undefined where that would take more than `mostWork`. */
export type Folding<T> = (unfolded: Unfolded, mostWork: number) => Pausable<T | undefined>;

/** Unfolds a recording down to a depth; undefined where that would take more than `mostWork`. */
type Unfolding = (depth: number, mostWork: number) => Pausable<DepthFitting<Walk> | undefined>;

/**
 * Unfolds a recording and folds its steps. Rings of lookups can make that grow without bound. Where it
 * would take more work than `scope.maxWork`, steps below the greatest depth that fits are cut off as
 * `work-limit`: breadth first, and the same in every run.
 */
export function* withinWork<T>(walk: MainWalk, fold: Folding<T>): Pausable<T> {
  const landscape = landscapeOf(walk);
  return yield* deepestWithin(walk, fold, (depth, mostWork) => unfold(landscape, depth, mostWork));
}

/** The same for the resolver view alone, which may do with fewer steps. */
export function* resolvingWithinWork<T>(walk: MainWalk, fold: Folding<T>): Pausable<T> {
  const landscape = landscapeOf(walk);
  const foresight = new Foresight(landscape, walk.recording.scope.maxWork);
  return yield* deepestWithin(walk, fold, (depth, mostWork) => unfold(landscape, depth, mostWork, foresight));
}

function* deepestWithin<T>({ recording }: MainWalk, fold: Folding<T>, unfolding: Unfolding): Pausable<T> {
  const { maxDepth, maxWork } = recording.scope;
  // The first step alone always fits.
  const mostWork = (depth: number) => (depth === 0 ? Number.POSITIVE_INFINITY : maxWork);
  const unfolded = (depth: number) => unfolding(depth, mostWork(depth));
  const folded = (start: Walk, depth: number) => {
    const reach = depth === maxDepth ? 'whole' : 'limited';
    return fold({ start, steps: bottomUp(start), reach }, mostWork(depth));
  };
  const both = function* (depth: number): Pausable<DepthFitting<T> | undefined> {
    const start = yield* unfolded(depth);
    const found = start && (yield* folded(start.found, depth));
    return found && { found, work: start.work };
  };
  // Less deep can be more work, because what is cut off at one depth is not reused at another: so the whole is tried by itself.
  const whole = yield* unfolded(maxDepth);
  // To fold takes longer than to unfold, so what can be unfolded is found first.
  const { found, depth } =
    whole === undefined
      ? yield* deepestThatFits(maxDepth, maxWork, unfolded)
      : { found: whole.found, depth: maxDepth };
  return (yield* folded(found, depth)) ?? (yield* deepestThatFits(depth, maxWork, both)).found;
}
