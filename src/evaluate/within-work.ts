import type { Recording } from '../explore/recording.ts';
import { PathView } from './path-view.ts';
import { uniformly } from './pick-weight.ts';
import type { Walk } from './step.ts';
import { unfold } from './unfold.ts';

/** The steps of a recording, and where their paths lead. */
export interface Unfolded {
  readonly start: Walk;
  readonly pathView: PathView;
}

/**
 * Unfolds a recording and folds its paths. Rings of lookups can make that grow without bound. Where it
 * would take more work than `scope.maxWork`, steps below the greatest depth that fits are cut off as
 * `work-limit`: breadth first, and the same in every run.
 */
export function withinWork(recording: Recording): Unfolded {
  const { maxDepth } = recording.scope;
  const whole = attempt(recording, maxDepth);
  if (whole !== undefined) return whole;
  let [unfolded, fits, exceeds] = [firstStep(recording), 0, maxDepth];
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    const attempted = attempt(recording, middle);
    if (attempted === undefined) exceeds = middle;
    else [unfolded, fits] = [attempted, middle];
  }
  return unfolded;
}

function attempt(recording: Recording, deepest: number): Unfolded | undefined {
  const start = unfold(recording, deepest);
  if (start === undefined) return undefined;
  const pathView = new PathView(uniformly, recording.scope.maxWork);
  pathView.distribution(start);
  return pathView.exceeded ? undefined : { start, pathView };
}

/** The first step alone always fits. */
function firstStep(recording: Recording): Unfolded {
  const start = unfold(recording, 0);
  if (start === undefined) throw new Error('no work is allowed at all');
  return { start, pathView: new PathView(uniformly) };
}
