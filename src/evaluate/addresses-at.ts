import { addressesIn } from '../explore/addresses.ts';
import type { StepServer, Visit } from './step.ts';

/** The addresses that a path may pick of a name server; an address can come twice. */
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

/** The addresses in the answers that walks behind a visit can end in. */
export function answersOf(visit: Visit): Iterable<string> {
  if (visit.kind === 'not-asked') return [];
  const { meaning, onward } = visit;
  if (meaning.kind === 'answer') return addressesIn(meaning.records);
  return onward.kind === 'walk' && onward.walk.kind === 'step' ? onward.walk.step.answers : [];
}
