import type { Arrival } from './arrivals.ts';
import type { Departure } from './departures.ts';
import { isMemoryless, visitAtOnce, visitOwnSets } from './memoryless.ts';
import type { VisitTools } from './servers.ts';
import { visitZone } from './visit.ts';

/** How a resolver visits zones: in closed form if its behaviour has one, else state by state. */
export function visiting(tools: VisitTools): (arrival: Arrival) => readonly Departure[] {
  const visit = isMemoryless(tools.behaviour) ? visitAtOnce : visitZone;
  return (arrival) =>
    arrival.step.otherwise === undefined ? visit(arrival, tools) : visitOwnSets(arrival, tools);
}
