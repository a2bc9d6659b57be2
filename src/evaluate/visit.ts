import type { StepServer, Visit, Walk } from './step.ts';

/** What becomes of a path that picks this address of a server. */
export function visitAt({ visits }: StepServer, address: string): Visit {
  const visit = visits.get(address);
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
