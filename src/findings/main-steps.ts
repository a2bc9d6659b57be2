import type { Evaluation } from '../evaluate/evaluate.ts';
import type { Step } from '../evaluate/step.ts';

/**
 * The steps of the main walk. No lookup is pending there, so what they come to holds for everybody
 * who asks, while a step inside a lookup may only lack what the lookup is about to find.
 */
export function mainSteps({ start, pathView }: Evaluation): ReadonlySet<Step> {
  const seen = new Set<Step>(start.kind === 'step' ? [start.step] : []);
  // A set grows while it is gone through: that is the work list.
  for (const step of seen) {
    for (const walk of pathView.onward(step).keys()) if (walk.kind === 'step') seen.add(walk.step);
  }
  return seen;
}
