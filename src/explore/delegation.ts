import { getOrMake } from '../base/memo.ts';
import { type Family, familyOf } from '../dns/address.ts';
import type { Trust } from '../dns/dnssec/trust.ts';
import { isAtOrBelow, isBelow, type Name } from '../dns/name.ts';

/** A zone, the set of its name servers and their glue (RFC 9499 7). Name servers are sorted by name. */
export interface Delegation {
  readonly zone: Name;
  readonly nameservers: readonly Nameserver[];
  /** What names the zone's keys: only on the walk of a resolver that demands proof. */
  readonly trust?: Trust;
}

/** A name server as a delegation names it, with the addresses that came along (sorted, distinct). */
export interface Nameserver {
  readonly name: Name;
  readonly glue: readonly string[];
}

/** A name server's name: at or below the zone that it is to serve (RFC 9499 7, "in-domain"), or not. */
export type NameserverLocation = 'in-domain' | 'elsewhere';

/** Where a name server of a zone has its name. */
export function locationOf(nameserver: Name, zone: Name): NameserverLocation {
  return isAtOrBelow(nameserver, zone) ? 'in-domain' : 'elsewhere';
}

/** Builds a delegation from names and glue in any order and number. */
export function delegationOf(zone: Name, glue: ReadonlyMap<Name, Iterable<string>>): Delegation {
  const nameservers = [...glue]
    .map(([name, addresses]) => ({ name, glue: [...new Set(addresses)].sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { zone, nameservers };
}

const keys = new WeakMap<Delegation, string>();

/** The text that is equal exactly for delegations of equal content, whoever sent them. */
export function delegationKey(delegation: Delegation): string {
  return getOrMake(keys, delegation, () => {
    const { trust } = delegation;
    const servers = serversKey(delegation);
    return trust === undefined ? servers : `${servers}\ntrust ${trust.id}`;
  });
}

/** The same for delegations to the same servers, whatever is known of the zone's keys. */
export function serversKey({ zone, nameservers }: Delegation): string {
  return [zone, ...nameservers.map((server) => `${server.name} ${server.glue.join(' ')}`)].join('\n');
}

const trusted = new WeakMap<Delegation, Map<string, Delegation>>();

/** The delegation as one comes to it that knows this of the zone's keys. */
export function withTrust(delegation: Delegation, trust: Trust): Delegation {
  const known = getOrMake(trusted, delegation, () => new Map<string, Delegation>());
  return getOrMake(known, trust.id, () => ({ ...delegation, trust }));
}

/** The glue of a name server for the enabled families. */
export function glueFor(server: Nameserver, families: readonly Family[]): readonly string[] {
  return server.glue.filter((address) => families.includes(familyOf(address)));
}

/** The name servers with glue whose names are not at or below the zone. */
export function hostsElsewhere(
  { zone, nameservers }: Delegation,
  families: readonly Family[],
): readonly Nameserver[] {
  return nameservers.filter(
    (server) => locationOf(server.name, zone) === 'elsewhere' && glueFor(server, families).length > 0,
  );
}

/**
 * The delegations that a path came through, root first, as a list linked from its deepest end. Chains
 * made by one `Chains` are equal exactly when they are the same object.
 */
export interface Chain {
  readonly parent: Chain | undefined;
  readonly delegation: Delegation;
}

/** Makes chains, and makes equal ones, and equal delegations in them, the same object: this keeps the graph small. */
export class Chains {
  readonly #roots = new Map<string, Chain>();
  readonly #extensions = new WeakMap<Chain, Map<string, Chain>>();
  readonly #delegations = new Map<string, Delegation>();

  /** The chain of the root hints alone. */
  root(hints: Delegation): Chain {
    return this.#intern(this.#roots, undefined, hints);
  }

  /** The chain that a referral leads on to. */
  extend(chain: Chain, delegation: Delegation): Chain {
    const extensions = getOrMake(this.#extensions, chain, () => new Map<string, Chain>());
    return this.#intern(extensions, chain, delegation);
  }

  /** The chain with another delegation of the same zone as its last one. */
  replaceLast({ parent }: Chain, delegation: Delegation): Chain {
    return parent === undefined ? this.root(delegation) : this.extend(parent, delegation);
  }

  #intern(known: Map<string, Chain>, parent: Chain | undefined, delegation: Delegation): Chain {
    const key = delegationKey(delegation);
    return getOrMake(known, key, () => {
      return { parent, delegation: getOrMake(this.#delegations, key, () => delegation) };
    });
  }
}

/**
 * The chain on which an alias goes on, cut at the deepest delegation that encloses the target:
 * svc-model(7), WALKING A STEP 4.
 */
export function chainForAlias(chain: Chain, target: Name, type: string): Chain {
  const encloses = enclosing(type);
  let at = chain;
  while (at.parent !== undefined && !encloses(target, at.delegation.zone)) at = at.parent;
  return at;
}

/** What it takes for a zone to be where a name's records of a type are asked for. */
export function enclosing(type: string): typeof isAtOrBelow {
  // RFC 4035 3.1.4.1: DS lives at the parent's side of the cut.
  return type === 'DS' ? isBelow : isAtOrBelow;
}

/**
 * The chain on which the lookup of a name server's address starts, cut at the deepest delegation before
 * the last one whose zone is or encloses the name: svc-model(7), WALKING A STEP 2.2. Undefined for a
 * chain of the root hints alone.
 */
export function chainForLookup(chain: Chain, nameserver: Name): Chain | undefined {
  let at = chain.parent;
  while (at !== undefined && !isAtOrBelow(nameserver, at.delegation.zone)) at = at.parent;
  return at;
}
