import type { Step, Walk } from './step.ts';
import { walkAfter } from './visit.ts';

/** Every step that walks from here meet, lookups included, each after all that it leads to. */
export function bottomUp(start: Walk): readonly Step[] {
  // A set keeps the order in which steps are finished.
  const finished = new Set<Step>();
  const visit = (walk: Walk) => {
    if (walk.kind !== 'step' || finished.has(walk.step)) return;
    for (const next of walksFrom(walk.step)) visit(next);
    finished.add(walk.step);
  };
  visit(start);
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

/** Those of the steps, in their order, that a walk passes itself. */
export function passedBy(start: Walk, steps: readonly Step[]): readonly Step[] {
  const passed = new Set<Step>(start.kind === 'step' ? [start.step] : []);
  for (const step of [...steps].reverse()) {
    if (!passed.has(step)) continue;
    for (const walk of onwardFrom(step)) if (walk.kind === 'step') passed.add(walk.step);
  }
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
  for (const walk of step.validated?.walks ?? []) onward.add(walk);
  return onward;
}

function lookupsOf({ servers }: Step): readonly Walk[] {
  return servers.flatMap((server) =>
    server.kind === 'lookup' ? server.lookups.map(({ walk }) => walk) : [],
  );
}
