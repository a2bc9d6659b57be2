import { addressesIn } from '../../explore/addresses.ts';
import { isUsable } from '../../explore/meaning.ts';
import type { Step, StepServer, Walk } from '../step.ts';
import { visitAt, walkAfter } from '../visit.ts';

/** Keeps what lookups give for certain in the resolver view, so that it is known for which servers that is enough. */
export class SureServers {
  readonly #given = new WeakMap<Step, readonly string[]>();

  /** Whether a server is usable for certain. All addresses that it can have were visited. */
  has(server: StepServer): boolean {
    return this.#usableAddress(server) !== undefined;
  }

  /** All usable replies at the step come to the same, and this server of it is usable for certain. */
  note(step: Step, server: StepServer): void {
    const address = this.#usableAddress(server);
    const visit = address === undefined ? undefined : visitAt(server, address);
    if (visit?.kind !== 'asked') return;
    const walk = walkAfter(visit);
    if (walk !== undefined) this.#given.set(step, this.#givenBy(walk));
    else if (visit.meaning.kind === 'answer') this.#given.set(step, addressesIn(visit.meaning.records));
  }

  #usableAddress(server: StepServer): string | undefined {
    return this.#sureAddresses(server).find((address) => {
      const visit = server.visits.get(address);
      return visit?.kind === 'asked' && isUsable(visit.meaning.kind);
    });
  }

  #sureAddresses(server: StepServer): readonly string[] {
    switch (server.kind) {
      case 'glue':
        return server.addresses;
      case 'not-looked-up':
        return [];
      case 'lookup': {
        const { ofAnswer, ofAll } = server.selection;
        // What is left of all that the lookups of a name give depends on each of them.
        if (ofAll !== undefined) return [];
        return server.lookups.flatMap(({ walk }) => ofAnswer(this.#givenBy(walk)));
      }
    }
  }

  #givenBy(walk: Walk): readonly string[] {
    return walk.kind === 'step' ? (this.#given.get(walk.step) ?? []) : [];
  }
}
