import type { ListedServer } from '../../document/servers.ts';
import { ServersMet, serverIn } from '../../fingerprint/servers-met.ts';
import { skipped } from '../../fingerprint/survey.ts';
import type { RunEvent } from '../../progress/run-event.ts';

/** The servers that the events of a run have shown so far: what there is of a list that is not ready. */
export class ServersByNow {
  #met = new ServersMet();
  readonly #known = new Map<string, ListedServer>();

  note(event: RunEvent): void {
    if (event.event === 'started') this.#met = new ServersMet();
    if (event.event === 'exchange') this.#met.note(serverIn(event));
    if (event.event === 'identified') this.#known.set(event.server.address, event.server);
  }

  /** Those that are settled, then those that replied and have not said what they are. */
  list(): readonly ListedServer[] {
    const unsettled = this.#met
      .list()
      .filter(({ address, reaction }) => reaction === 'replied' && !this.#known.has(address));
    return [
      ...this.#known.values(),
      ...unsettled.map(({ reaction: _, allNames: __, ...met }) => ({ ...met, ...skipped('time') })),
    ];
  }
}
