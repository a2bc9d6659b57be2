import { add, type Fraction, multiply, ONE, share, ZERO } from './fraction.ts';
import type { PathView } from './path-view.ts';
import type { Place, Walk } from './place.ts';
import { asFraction } from './weight.ts';

/**
 * How often a path passes through each place on average, in the order in which walks meet places
 * (each after all that lead to it). For a place that only the main walk meets this is the probability
 * of passing through it; in lookups a path may pass the same place more than once.
 */
export function passes(start: Walk, view: PathView): ReadonlyMap<Place, Fraction> {
  const order = placesInOrder(start, view);
  const passed = new Map<Place, Fraction>(order.map((place) => [place, ZERO]));
  if (start.kind === 'place') passed.set(start.place, ONE);
  for (const place of order) {
    const here = passed.get(place) ?? ZERO;
    for (const [walk, weight] of leadsTo(place, view)) {
      if (walk.kind !== 'place') continue;
      passed.set(walk.place, add(passed.get(walk.place) ?? ZERO, multiply(here, weight)));
    }
  }
  return passed;
}

/** The lookups made at a place and the walks that go on from it, each with its weight there. */
function leadsTo(place: Place, view: PathView): readonly (readonly [Walk, Fraction])[] {
  const each = share(place.servers.length);
  const lookups = place.servers.flatMap((server) =>
    server.kind === 'lookup' ? server.lookups.map(({ walk }) => [walk, each] as const) : [],
  );
  const onward = [...view.onward(place)].map(([walk, weight]) => [walk, asFraction(weight)] as const);
  return [...lookups, ...onward];
}

/** Topological order: reversed post-order of a depth-first search. */
function placesInOrder(start: Walk, view: PathView): readonly Place[] {
  const seen = new Set<Place>();
  const finished: Place[] = [];
  const visit = (walk: Walk) => {
    if (walk.kind !== 'place' || seen.has(walk.place)) return;
    seen.add(walk.place);
    for (const [next] of leadsTo(walk.place, view)) visit(next);
    finished.push(walk.place);
  };
  visit(start);
  return finished.reverse();
}
