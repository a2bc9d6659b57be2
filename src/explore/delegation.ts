import { getOrMake } from '../get-or-make.ts';
import type { Trust } from '../validate/trust.ts';
import { type Family, familyOf } from '../wire/address.ts';
import type { Name } from '../wire/name.ts';

/** A name server as a delegation names it, with the addresses that came along (sorted, distinct). */
export interface Nameserver {
  readonly name: Name;
  readonly glue: readonly string[];
}

/** A zone, the set of its name servers and their glue (RFC 9499 7). Name servers are sorted by name. */
export interface Delegation {
  readonly zone: Name;
  readonly nameservers: readonly Nameserver[];
  /** What names the zone's keys: only on the walk of a resolver that demands proof. */
  readonly trust?: Trust;
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
