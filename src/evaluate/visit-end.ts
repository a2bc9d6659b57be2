import type { Name } from '../wire/name.ts';
import type { End } from './end.ts';
import type { Step, Visit } from './step.ts';

/** The end of a path that picked this server and address, for a visit that goes on nowhere. */
export function visitEnd(step: Step, visit: Visit, name: Name, address: string): End {
  const at = { question: step.question, zone: step.delegation.zone, server: { name, address } };
  if (visit.kind === 'not-asked') return { ...visit.why, ...at };
  const { meaning, onward } = visit;
  if (onward.kind === 'alias-loop') return { kind: 'alias-loop', target: onward.target, ...at };
  switch (meaning.kind) {
    case 'referral':
    case 'alias':
      throw new Error(`a ${meaning.kind} is not an end`);
    default:
      return { ...meaning, ...at };
  }
}

/** The end of a path whose lookup of a name server gave no address (MODEL 3.2.3). */
export function failedLookupEnd(
  step: Step,
  nameserver: Name,
  where: 'in-domain' | 'elsewhere',
  end: End,
): End {
  const at = { question: step.question, zone: step.delegation.zone, server: null, nameserver };
  const cause = 'cause' in end && end.cause !== undefined ? end.cause : end;
  if (where === 'elsewhere') return { kind: 'unresolvable-ns', ...at, cause };
  return cause.kind === 'no-glue' ? { kind: 'no-glue', ...at } : { kind: 'no-glue', ...at, cause };
}
