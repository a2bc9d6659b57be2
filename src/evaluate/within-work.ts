import type { Recording } from '../explore/recording.ts';
import type { Pausable } from '../pausable.ts';
import { bottomUp, eachStep } from './bottom-up.ts';
import { PathView } from './path-view.ts';
import { uniformly } from './pick-weight.ts';
import type { Step, Walk } from './step.ts';
import { unfold } from './unfold.ts';

/** The steps of a recording, and where their paths lead. */
export interface Unfolded {
  readonly start: Walk;
  /** Each after all that it leads to. */
  readonly steps: readonly Step[];
  readonly pathView: PathView;
}

/**
 * Unfolds a recording and folds its paths. Rings of lookups can make that grow without bound. Where it
 * would take more work than `scope.maxWork`, steps below the greatest depth that fits are cut off as
 * `work-limit`: breadth first, and the same in every run.
 */
export function* withinWork(recording: Recording): Pausable<Unfolded> {
  const { maxDepth } = recording.scope;
  const whole = yield* attempt(recording, maxDepth);
  if (whole !== undefined) return whole;
  let [unfolded, fits, exceeds] = [yield* firstStep(recording), 0, maxDepth];
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    const attempted = yield* attempt(recording, middle);
    if (attempted === undefined) exceeds = middle;
    else [unfolded, fits] = [attempted, middle];
  }
  return unfolded;
}

function* attempt(recording: Recording, deepest: number): Pausable<Unfolded | undefined> {
  const { maxWork } = recording.scope;
  const start = yield* unfold(recording, deepest, maxWork);
  if (start === undefined) return undefined;
  const steps = bottomUp(start);
  const pathView = new PathView(uniformly, maxWork);
  yield* eachStep(steps, (step) => pathView.fold(step));
  return pathView.exceeded ? undefined : { start, steps, pathView };
}

/** The first step alone always fits. */
function* firstStep(recording: Recording): Pausable<Unfolded> {
  const start = yield* unfold(recording, 0, Number.POSITIVE_INFINITY);
  if (start === undefined) throw new Error('the first step takes more than any work');
  return { start, steps: bottomUp(start), pathView: new PathView(uniformly) };
}
