import type { Pausable } from '../pausable.ts';
import { bottomUp } from './bottom-up.ts';
import type { MainWalk } from './evaluated-world.ts';
import type { Step, Walk } from './step.ts';
import { unfold } from './unfold.ts';

/** The steps of a recording. */
export interface Unfolded {
  readonly start: Walk;
  /** Each after all that it leads to. */
  readonly steps: readonly Step[];
}

/** Folds steps; undefined where that would take more than `mostWork`. */
export type Folding<T> = (unfolded: Unfolded, mostWork: number) => Pausable<T | undefined>;

/**
 * Unfolds a recording and folds its steps. Rings of lookups can make that grow without bound. Where it
 * would take more work than `scope.maxWork`, steps below the greatest depth that fits are cut off as
 * `work-limit`: breadth first, and the same in every run.
 */
export function* withinWork<T>(walk: MainWalk, fold: Folding<T>): Pausable<T> {
  const { maxDepth } = walk.recording.scope;
  const whole = yield* attempt(walk, maxDepth, fold);
  if (whole !== undefined) return whole;
  let [folded, fits, exceeds] = [yield* firstStep(walk, fold), 0, maxDepth];
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    const attempted = yield* attempt(walk, middle, fold);
    if (attempted === undefined) exceeds = middle;
    else [folded, fits] = [attempted, middle];
  }
  return folded;
}

function* attempt<T>(walk: MainWalk, deepest: number, fold: Folding<T>): Pausable<T | undefined> {
  const { maxWork } = walk.recording.scope;
  const start = yield* unfold(walk, deepest, maxWork);
  return start === undefined ? undefined : yield* fold({ start, steps: bottomUp(start) }, maxWork);
}

/** The first step alone always fits. */
function* firstStep<T>(walk: MainWalk, fold: Folding<T>): Pausable<T> {
  const start = yield* unfold(walk, 0, Number.POSITIVE_INFINITY);
  const folded = start && (yield* fold({ start, steps: bottomUp(start) }, Number.POSITIVE_INFINITY));
  if (folded === undefined) throw new Error('the first step takes more than any work');
  return folded;
}
