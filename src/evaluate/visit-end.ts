import { leadsOn } from '../explore/meaning.ts';
import type { Name } from '../wire/name.ts';
import { causeOf, type End } from './end.ts';
import type { LookupServer, Step, Visit, Walk } from './step.ts';

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

/** The end of a path that picked this server and address, for a visit after which no walk goes on. */
export function visitEnd(step: Step, name: Name, address: string): End {
  const visit = visitAt(step, address);
  const at = { question: step.question, zone: step.delegation.zone, server: { name, address } };
  if (visit.kind === 'not-asked') return { ...visit.why, ...at };
  const { meaning, onward } = visit;
  if (onward.kind === 'alias-loop') return { kind: 'alias-loop', target: onward.target, ...at };
  if (leadsOn(meaning)) throw new Error(`a ${meaning.kind} is not an end`);
  if (meaning.kind === 'alias-loop') return { kind: 'alias-loop', target: meaning.target, ...at };
  return { ...meaning, ...at };
}

/** The end of a path whose lookup of a server ended without an address: svc-model(7), WALKING A STEP 2.3. */
export function failedLookupEnd({ question, delegation }: Step, server: LookupServer, end: End): End {
  const at = { question, zone: delegation.zone, server: null, nameserver: server.name };
  const cause = causeOf(end);
  switch (server.where) {
    case 'elsewhere':
      return { kind: 'unresolvable-ns', ...at, cause };
    case 'in-domain':
      return cause.kind === 'no-glue' ? { kind: 'no-glue', ...at } : { kind: 'no-glue', ...at, cause };
  }
}
