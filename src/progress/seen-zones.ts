import type { ExchangeEvent } from '../document/events.ts';
import type { ExchangeClass } from '../explore/meaning.ts';

import type { Name } from '../wire/name.ts';

/** One address, as a zone's servers are seen. */
export interface SeenServer {
  readonly address: string;
  readonly names: readonly Name[];
  /** How often it did what. */
  readonly classes: ReadonlyMap<ExchangeClass, number>;
}

/** One zone and the addresses that were asked for it, in the order they were heard. */
export interface SeenZone {
  readonly zone: Name;
  readonly servers: ReadonlyMap<string, SeenServer>;
}

/** Zones in the order in which their servers were first heard. */
export class SeenZones {
  readonly #zones = new Map<Name, { zone: Name; servers: Map<string, MutableServer> }>();

  get all(): readonly SeenZone[] {
    return [...this.#zones.values()];
  }

  hear({ zone, server, class: kind }: ExchangeEvent): void {
    const seen = this.#zones.get(zone) ?? { zone, servers: new Map() };
    this.#zones.set(zone, seen);
    const { address, names } = server;
    const known = seen.servers.get(address) ?? { address, names, classes: new Map() };
    seen.servers.set(address, known);
    known.classes.set(kind, (known.classes.get(kind) ?? 0) + 1);
  }
}

interface MutableServer extends SeenServer {
  readonly classes: Map<ExchangeClass, number>;
}
