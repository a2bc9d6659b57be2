/* Puts the steps of walks in the order in which they depend on each other, and says how often paths pass each. */

import { add, type Fraction, lowestTerms, multiply, ONE, share, ZERO } from './fraction.ts';
import type { PathView } from './path-view.ts';
import { type Step, type Walk, walkAfter } from './step.ts';

/** Every step that walks from here meet, lookups included, each after all that it leads to. */
export function bottomUp(...starts: readonly Walk[]): readonly Step[] {
  // A set keeps the order in which steps are finished.
  const finished = new Set<Step>();
  const visit = (walk: Walk) => {
    if (walk.kind !== 'step' || finished.has(walk.step)) return;
    for (const next of walksFrom(walk.step)) visit(next);
    finished.add(walk.step);
  };
  for (const start of starts) visit(start);
  return [...finished];
}

/** Those of the steps, in their order, that some lookup meets. */
export function inLookups(steps: readonly Step[]): readonly Step[] {
  const met = new Set<Step>();
  for (const step of [...steps].reverse()) {
    const walks = met.has(step) ? walksFrom(step) : lookupsOf(step);
    for (const walk of walks) if (walk.kind === 'step') met.add(walk.step);
  }
  return steps.filter((step) => met.has(step));
}

/** Every step of a main walk, those included that it goes on at where no set of their own is known. */
export function mainSteps(start: Walk): ReadonlySet<Step> {
  const seen = new Set<Step>(start.kind === 'step' ? [start.step] : []);
  // Iterating over a set also visits the steps added on the way.
  for (const step of seen) for (const walk of onwardFrom(step)) if (walk.kind === 'step') seen.add(walk.step);
  return seen;
}

/** Those of the steps, in their order, that a walk passes itself. */
export function passedBy(start: Walk, steps: readonly Step[]): readonly Step[] {
  const passed = mainSteps(start);
  return steps.filter((step) => passed.has(step));
}

function walksFrom(step: Step): readonly Walk[] {
  return [...lookupsOf(step), ...onwardFrom(step)];
}

function onwardFrom(step: Step): ReadonlySet<Walk> {
  const onward = new Set<Walk>(step.otherwise === undefined ? [] : [step.otherwise]);
  for (const visit of step.visits.values()) {
    const walk = walkAfter(visit);
    if (walk !== undefined) onward.add(walk);
  }
  for (const walk of Object.values(step.minimised ?? {})) onward.add(walk);
  for (const walk of step.validated?.walks ?? []) onward.add(walk);
  return onward;
}

function lookupsOf({ servers }: Step): readonly Walk[] {
  return servers.flatMap((server) => {
    const lookedUp = server.kind === 'glue' ? server.lookedUp : server;
    return lookedUp?.kind === 'lookup' ? lookedUp.lookups.map(({ walk }) => walk) : [];
  });
}

/**
 * How often a path passes through each step on average, in the order in which walks meet steps
 * (each after all that lead to it). For a step that only the main walk meets this is the probability
 * of passing through it; in lookups a path may pass the same step more than once.
 */
export function passes(start: Walk, view: PathView): ReadonlyMap<Step, Fraction> {
  const order = stepsInOrder(start, view);
  const passed = new Map<Step, Fraction>(order.map((step) => [step, ZERO]));
  if (start.kind === 'step') passed.set(start.step, ONE);
  for (const step of order) {
    // All paths to a step are before it in the order, so this is all that arrives here.
    const here = lowestTerms(passed.get(step) ?? ZERO);
    passed.set(step, here);
    for (const [walk, weight] of leadsTo(step, view)) {
      if (walk.kind !== 'step') continue;
      passed.set(walk.step, add(passed.get(walk.step) ?? ZERO, multiply(here, weight)));
    }
  }
  return passed;
}

/** The lookups made at a step and the walks that go on from it, each with its weight there. */
function leadsTo(step: Step, view: PathView): readonly (readonly [Walk, Fraction])[] {
  const each = share(step.servers.length);
  const lookups = step.servers.flatMap((server) =>
    server.kind === 'lookup' ? server.lookups.map(({ walk }) => [walk, each] as const) : [],
  );
  return [...lookups, ...view.onward(step)];
}

/** The steps that paths meet, each after all that lead to it: reversed post-order of a depth-first search. */
export function stepsInOrder(start: Walk, view: PathView): readonly Step[] {
  const seen = new Set<Step>();
  const finished: Step[] = [];
  const visit = (walk: Walk) => {
    if (walk.kind !== 'step' || seen.has(walk.step)) return;
    seen.add(walk.step);
    for (const [next] of leadsTo(walk.step, view)) visit(next);
    finished.push(walk.step);
  };
  visit(start);
  return finished.reverse();
}
