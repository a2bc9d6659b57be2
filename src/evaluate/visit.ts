import type { Step, Visit, Walk } from './step.ts';

/** What a step knows of an address that a path may pick there. */
export function visitAt(step: Step, address: string): Visit {
  const visit = step.visits.get(address);
  if (visit === undefined) throw new Error(`no visit for ${address}`);
  return visit;
}

/** The walk that a path goes on with after a visit; undefined where it ends there. */
export function walkAfter(visit: Visit): Walk | undefined {
  if (visit.kind === 'not-asked') return undefined;
  const { onward } = visit;
  switch (onward.kind) {
    case 'walk':
    case 'own-set':
      return onward.walk;
    case 'end':
    case 'alias-loop':
      return undefined;
  }
}
