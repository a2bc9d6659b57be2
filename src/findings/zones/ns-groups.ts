/* Groups the servers of a zone by the set of NS records that they return. */

import type { Name } from '../../dns/name.ts';
import { grouped } from '../../document/words/lists.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Evidence, oncePer } from '../evidence.ts';
import type { NsSet, ZoneFacts, ZoneServer } from './zone-facts.ts';

/** The groups of a zone, in the order of their sets; servers of which no set is known are in none. */
export function nsGroupsIn({ zones }: Pick<Evidence, 'zones'>, zone: Name): readonly NsGroup[] {
  const facts = zones.get(zone);
  return facts === undefined ? [] : nsGroupsOf(facts);
}

/** Servers of a zone that give it the same NS RRset. */
export interface NsGroup {
  readonly set: readonly Name[];
  /** At least one. */
  readonly servers: readonly ZoneServer[];
  readonly proof: readonly Exchanged[];
}

/** The text that is equal only for the same set of names. */
export function setKey(names: NsSet['names']): string {
  return names.join(' ');
}

const nsGroupsOf = oncePer(({ servers }: ZoneFacts): readonly NsGroup[] => {
  const speaking = servers.flatMap((server) => (server.ns === undefined ? [] : [{ server, ns: server.ns }]));
  return grouped(speaking, ({ ns }) => setKey(ns.value.names))
    .map((alike) => ({
      set: alike[0].ns.value.names,
      servers: alike.map(({ server }) => server),
      proof: alike.map(({ ns }) => ns.exchanged),
    }))
    .sort((a, b) => (setKey(a.set) < setKey(b.set) ? -1 : 1));
});

/**
 * Whether two groups of servers serve different zones of one name, as two providers do of which neither knows of the
 * other: neither names a server of the other. A version that missed an update names its successors'
 * servers, or is served by one that they name.
 */
export function areSeparate(one: NsGroup, other: NsGroup): boolean {
  return one !== other && !namesServerOf(one, other) && !namesServerOf(other, one);
}

function namesServerOf({ set }: NsGroup, { servers }: NsGroup): boolean {
  return servers.some(({ names }) => names.some((name) => set.includes(name)));
}
