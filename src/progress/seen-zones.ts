import type { ExchangeEvent } from '../document/events.ts';
import type { ExchangeClass } from '../explore/meaning.ts';
import type { Name } from '../wire/name.ts';

/** One address, as a zone's servers are seen. */
export interface SeenServer {
  readonly address: string;
  /** As the last event about it has them. */
  readonly names: readonly Name[];
  /** How often it did what. */
  readonly classes: ReadonlyMap<ExchangeClass, number>;
  /** The first things it did, in the order in which they were heard. */
  readonly did: readonly ExchangeEvent[];
  /** How many there are in all. */
  readonly times: number;
}

/** One zone and the addresses that were asked for it, in the order they were heard. */
export interface SeenZone {
  readonly zone: Name;
  readonly servers: ReadonlyMap<string, SeenServer>;
  /** How much was heard of it: the zone has changed if this has. */
  readonly heard: number;
}

/** More of what one server did helps nobody who looks at it, and servers of providers are asked hundreds of times. */
const MOST_KEPT = 24;

/** Zones in the order in which their servers were first heard. */
export class SeenZones {
  readonly #zones = new Map<Name, MutableZone>();

  get all(): readonly SeenZone[] {
    return [...this.#zones.values()];
  }

  hear(event: ExchangeEvent): void {
    const { zone, server, class: kind } = event;
    const seen = this.#zones.get(zone) ?? { zone, servers: new Map(), heard: 0 };
    this.#zones.set(zone, seen);
    seen.heard += 1;
    const { address, names } = server;
    const known = seen.servers.get(address) ?? { address, names, classes: new Map(), did: [], times: 0 };
    seen.servers.set(address, known);
    known.names = names;
    known.times += 1;
    known.classes.set(kind, (known.classes.get(kind) ?? 0) + 1);
    if (known.did.length < MOST_KEPT) known.did.push(event);
  }
}

interface MutableZone extends SeenZone {
  readonly servers: Map<string, MutableServer>;
  heard: number;
}

interface MutableServer extends SeenServer {
  names: readonly Name[];
  readonly classes: Map<ExchangeClass, number>;
  readonly did: ExchangeEvent[];
  times: number;
}
