import type { Evaluation } from '../evaluate/evaluate.ts';
import type { Place } from '../evaluate/place.ts';

/**
 * The places of the main walk. No lookup is pending there, so what they come to holds for everybody
 * who asks, while a place inside a lookup may only lack what the lookup is about to find.
 */
export function mainPlaces({ start, pathView }: Evaluation): ReadonlySet<Place> {
  const seen = new Set<Place>(start.kind === 'place' ? [start.place] : []);
  // A set grows while it is gone through: that is the work list.
  for (const place of seen) {
    for (const walk of pathView.onward(place).keys()) if (walk.kind === 'place') seen.add(walk.place);
  }
  return seen;
}
