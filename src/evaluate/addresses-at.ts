import { answersBelow } from './answers-below.ts';
import type { StepServer } from './step.ts';

/** The addresses of a name server that a path may pick. One can be listed twice. */
export function addressesOf(server: StepServer): readonly string[] {
  switch (server.kind) {
    case 'glue':
      return server.addresses;
    case 'lookup':
      return server.lookups.flatMap(({ walk }) =>
        walk.kind === 'step' ? server.selection.ofAnswer([...answersBelow(walk.step)]) : [],
      );
    case 'not-looked-up':
      return [];
  }
}
