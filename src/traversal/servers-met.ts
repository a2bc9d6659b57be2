/* Gathers the servers that a traversal met, with the names and zones of each. */

import { getOrMake } from '../base/memo.ts';
import { type Name, ROOT } from '../dns/name.ts';
import type { ExchangeEvent } from '../document/events.ts';
import type { ExchangeHead } from '../document/exchanges.ts';
import type { TraversalResult } from '../document/result.ts';
import { maySend, type Policy } from '../explore/policy.ts';
import type { Recording } from '../explore/recording.ts';
import { type ServerNames, type ShownNames, shownNames } from '../explore/server-names.ts';

/** Gathers what is seen of servers. */
export class ServersMet {
  readonly #met = new Map<string, Gathered>();

  /** Notes one more sight of a server. */
  note({ address, names, namesOmitted = 0, zones, reaction }: MetServer): void {
    const known = getOrMake(
      this.#met,
      address,
      (): Gathered => ({ names: new Set(), named: 0, zones: new Set(), reaction: 'silent' }),
    );
    for (const name of names) known.names.add(name);
    known.named = Math.max(known.named, known.names.size, names.length + namesOmitted);
    for (const zone of zones) known.zones.add(zone);
    if (reaction === 'replied') known.reaction = reaction;
  }

  /**
   * The distinct addresses in the order in which they were met, with names and zones sorted. `many` has all
   * names of those that have more than are shown, by address; of others they are unknown.
   */
  list(many: ReadonlyMap<string, AllNames> = new Map()): readonly MetServer[] {
    return [...this.#met].map(([address, { names, named, zones, reaction }]) => {
      const shown = shownNames([...names].sort(), named);
      const all = many.get(address) ?? (shown.namesOmitted === undefined ? undefined : 'unknown');
      return { address, ...shown, ...(all && { allNames: all }), zones: [...zones].sort(), reaction };
    });
  }
}

/** A server that a traversal met: its address, its names, and the zones it was asked about. */
export interface MetServer extends ShownNames {
  /** Canonical text. */
  readonly address: string;
  /** What a deny list is held against; absent: the names that are shown, for there are no others. */
  readonly allNames?: AllNames;
  readonly zones: readonly Name[];
  /** Whether anything ever came back from it, however broken. */
  readonly reaction: 'replied' | 'silent';
}

interface Gathered {
  /** Of some sights only the first of many names are shown. */
  readonly names: Set<Name>;
  /** How many there are at least. */
  named: number;
  readonly zones: Set<Name>;
  reaction: MetServer['reaction'];
}

/**
 * The distinct addresses that a traversal asked, in the order it met them. Addresses that policy blocks
 * or a limit cut off are not among them: what the traversal may not ask, is not asked afterwards either.
 * `many` is as for `ServersMet.list`.
 */
export function serversMet(
  result: TraversalResult,
  many?: ReadonlyMap<string, AllNames>,
): readonly MetServer[] {
  const zones = zonesByExchange(result);
  const met = new ServersMet();
  for (const exchange of result.exchanges) met.note(sightOf(exchange, [...(zones.get(exchange.id) ?? [])]));
  return met.list(many);
}

/** The server that an event shows. */
export function serverIn(event: ExchangeEvent): MetServer {
  return sightOf(event, [event.zone]);
}

function sightOf(
  { server, failure }: Pick<ExchangeHead, 'server' | 'failure'>,
  zones: readonly Name[],
): MetServer {
  return { ...server, zones, reaction: REACTIONS[failure ?? 'none'] };
}

const REACTIONS: Readonly<Record<NonNullable<ExchangeHead['failure']> | 'none', MetServer['reaction']>> = {
  none: 'replied',
  malformed: 'replied',
  unreachable: 'silent',
  timeout: 'silent',
};

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

/** All names of a server that has more than are shown; unknown if they are too many to keep. */
export type AllNames = readonly Name[] | 'unknown';

/** How many names are kept for one traversal: some megabytes, if they are as long as can be. */
const MOST_KEPT = 10_000;

/** By address, all names of those servers that a traversal asked and that have more than are shown. */
export function namesOfMany({ exchanges }: Recording, names: ServerNames): ReadonlyMap<string, AllNames> {
  const found = new Map<string, AllNames>();
  let room = MOST_KEPT;
  for (const { address } of exchanges.values()) {
    const all = found.has(address) ? undefined : names.ofMany(address);
    if (all === undefined) continue;
    found.set(address, all.size <= room ? [...all] : 'unknown');
    room = Math.max(0, room - all.size);
  }
  return found;
}

/**
 * The server without the zones that it may not be asked about; undefined if it is to be left alone. The list
 * may have changed since the traversal met it. A server with names that are unknown may have a denied one.
 */
export function allowedPart(server: MetServer, policy: Policy): MetServer | undefined {
  if (server.allNames === 'unknown' && policy.list.names.length > 0) return undefined;
  if (!mayAsk(server, policy, ROOT)) return undefined;
  if (server.zones.length === 0) return server;
  const zones = server.zones.filter((zone) => !policy.deniesName(zone));
  return zones.length === 0 ? undefined : { ...server, zones };
}

/** Whether a server may be asked about a name, by all names of its own that are known. */
export function mayAsk({ address, names, allNames }: MetServer, policy: Policy, about: Name): boolean {
  const known = allNames === undefined || allNames === 'unknown' ? names : allNames;
  return maySend(policy, { address, names: known }, about);
}
