import type { TraversalResult } from '../document/result.ts';
import { getOrMake } from '../get-or-make.ts';
import type { Name } from '../wire/name.ts';

/** A server that a traversal met: its address, its names, and the zones it was asked about. */
export interface MetServer {
  /** Canonical text. */
  readonly address: string;
  readonly names: readonly Name[];
  readonly zones: readonly Name[];
}

/**
 * The distinct addresses that a traversal asked, in the order it met them, with names and zones sorted.
 * Addresses that policy blocks or a limit cut off are not among them: what the traversal may not ask, is
 * not asked afterwards either.
 */
export function serversMet(result: TraversalResult): readonly MetServer[] {
  const zones = zonesByExchange(result);
  const met = new Map<string, { readonly names: Set<Name>; readonly zones: Set<Name> }>();
  for (const { id, server } of result.exchanges) {
    const known = getOrMake(met, server.address, () => ({ names: new Set(), zones: new Set() }));
    for (const name of server.names) known.names.add(name);
    for (const zone of zones.get(id) ?? []) known.zones.add(zone);
  }
  return [...met].map(([address, known]) => ({
    address,
    names: [...known.names].sort(),
    zones: [...known.zones].sort(),
  }));
}

/** The zones of the steps that used an exchange; none if no path came to use it. */
function zonesByExchange({ steps }: TraversalResult): ReadonlyMap<string, ReadonlySet<Name>> {
  const zones = new Map<string, Set<Name>>();
  for (const { zone, nameservers } of steps) {
    for (const { exchange } of nameservers.flatMap(({ addresses }) => addresses)) {
      if (exchange === undefined) continue;
      getOrMake(zones, exchange, () => new Set<Name>()).add(zone);
    }
  }
  return zones;
}
