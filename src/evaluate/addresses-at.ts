import { addressesIn } from '../explore/addresses.ts';
import type { StepServer, Visit } from './step.ts';
import { walkAfter } from './visit.ts';

/** The addresses of a name server that a path may pick. One can be listed twice. */
export function addressesOf(server: StepServer): readonly string[] {
  switch (server.kind) {
    case 'glue':
      return server.addresses;
    case 'lookup':
      return server.lookups.flatMap(({ walk }) => (walk.kind === 'step' ? [...walk.step.answers] : []));
    case 'not-looked-up':
      return [];
  }
}

/** The addresses in the answers that a path can end in after a visit. */
export function answersOf(visit: Visit): Iterable<string> {
  if (visit.kind === 'asked' && visit.meaning.kind === 'answer') return addressesIn(visit.meaning.records);
  const walk = walkAfter(visit);
  return walk?.kind === 'step' ? walk.step.answers : [];
}
