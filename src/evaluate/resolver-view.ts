import { Work } from '../base/work.ts';
import type { Name } from '../dns/name.ts';
import type { Behaviour } from '../explore/profiles/profile.ts';
import { ABSTRACT } from './behaviours.ts';
import { certainly, type Distribution } from './distribution.ts';
import type { Step, Walk } from './step.ts';
import { mainSteps } from './step-order.ts';
import { type Arrival, Arrivals } from './visit/arrivals.ts';
import type { Departure } from './visit/departures.ts';
import type { DrawTools } from './visit/draw.ts';
import { Fold, type Moments, TIMELESS } from './visit/fold.ts';
import { isMemoryless, visitAtOnce, visitOwnSets } from './visit/memoryless.ts';
import type { ZoneProof } from './visit/proof.ts';
import type { VisitTools } from './visit/servers.ts';
import { visitZone } from './visit/visit.ts';

/** Where a resolver's walks end, and with what probability. */
export type ResolverView = (walk: Walk) => Distribution;

/**
 * Where the abstract resolver ends at these steps, of which each comes after all that it leads to: svc-model(7), RESOLVER
 * VIEW. All lookups are its. Undefined where that is more than `mostWork`.
 */
export function resolverView(steps: readonly Step[], mostWork: number): ResolverView | undefined {
  const work = new Work(mostWork);
  const arrivals = new Arrivals(ABSTRACT);
  const lookups: ResolverView = (walk) =>
    walk.kind === 'cut' ? certainly(walk.end) : fold.at(arrivals.at(walk.step));
  const fold = new Fold(TIMELESS, visiting({ behaviour: ABSTRACT, arrivals, lookups, work }), work);
  for (const step of steps) fold.fold(arrivals.at(step));
  return work.exceeded ? undefined : lookups;
}

/** How a resolver visits zones: in closed form if its behaviour has one, else state by state. */
function visiting(tools: VisitTools): (arrival: Arrival) => readonly Departure[] {
  const visit = isMemoryless(tools.behaviour) ? visitAtOnce : visitZone;
  return (arrival) =>
    arrival.step.otherwise === undefined ? visit(arrival, tools) : visitOwnSets(arrival, tools);
}

/** The addresses that name servers of several zones on a walk have. */
function sharedAddresses(start: Walk): ReadonlySet<string> {
  const zones = new Map<string, Name>();
  const shared = new Set<string>();
  for (const { delegation, visits } of mainSteps(start))
    for (const address of visits.keys()) {
      const zone = zones.get(address);
      if (zone !== undefined && zone !== delegation.zone) shared.add(address);
      zones.set(address, delegation.zone);
    }
  return shared;
}

/**
 * The main walk of a resolver with any behaviour. `proof`: where the walk begins on which replies are proven; absent: nothing
 * is validated.
 */
export function resolverWalk(
  behaviour: Behaviour,
  start: Walk,
  tools: DrawTools,
  proof?: ZoneProof,
): ResolverWalk {
  const arrivals = new Arrivals(behaviour, sharedAddresses(start));
  const first = start.kind === 'cut' ? undefined : arrivals.at(start.step, proof);
  const all = first === undefined ? [] : arrivals.below(first);
  return {
    arrivals: all,
    folded: (moments) => {
      const fold = new Fold(moments, visiting({ ...tools, behaviour, arrivals }), tools.work);
      for (const arrival of all) fold.fold(arrival);
      if (tools.work.exceeded) return undefined;
      const met = () => {
        const met = new Set<Arrival>(first === undefined ? [] : [first]);
        // Iterating over a set also visits what is added on the way.
        for (const arrival of met) for (const next of fold.onward(arrival)) met.add(next);
        return met;
      };
      return { distribution: fold.from(start, first), met };
    },
  };
}

/** The zones that a resolver can come to on a main walk, each after all that it may lead to, and where it ends. */
export interface ResolverWalk {
  readonly arrivals: readonly Arrival[];
  /** Undefined where that is more work than there may be. `met`: the zones that it comes to in some order of servers. */
  readonly folded: <E>(
    moments: Moments<E>,
  ) => { readonly distribution: Distribution<E>; readonly met: () => ReadonlySet<Arrival> } | undefined;
}
