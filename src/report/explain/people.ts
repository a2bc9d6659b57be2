import type { End, PickedServer } from '../../evaluate/end.ts';
import { compare, ONE } from '../../evaluate/fraction.ts';
import { byFamily } from '../../reading/by-family.ts';
import { grouped } from '../../reading/grouped.ts';
import { listed } from '../../reading/words/listed.ts';
import { plain } from '../../reading/words/names.ts';
import { percent } from '../../reading/words/percent.ts';
import { labelCount, type Name } from '../../wire/name.ts';
import type { Scene } from './known.ts';

/** An end to explain, and the servers that share it. */
export interface Subject<E extends End = End> {
  readonly end: E;
  /** Each server once; empty where none was picked. */
  readonly servers: readonly PickedServer[];
}

/** "ns1.example (192.0.2.1, 2001:db8::1) and ns2.example (192.0.2.2)" */
export function serversText(servers: readonly PickedServer[]): string {
  const byName = grouped(servers, ({ name }) => name).map((own) => {
    const addresses = [...new Set(own.map(({ address }) => address))].sort(byFamily);
    return `${plain(own[0].name)} (${addresses.join(', ')})`;
  });
  return byName.length === 0 ? 'no server' : listed(byName);
}

/** "ns1.example and ns2.example" */
export function namesText(servers: readonly PickedServer[]): string {
  return listed([...new Set(servers.map(({ name }) => plain(name)))]);
}

/** Whether a sentence about servers is about one or several. */
export function numberOf(servers: readonly PickedServer[]): 'one' | 'several' {
  return new Set(servers.map(({ name }) => name)).size > 1 ? 'several' : 'one';
}

/** "the operator of ns1.example" */
export function operatorOf(servers: readonly PickedServer[]): string {
  return `the ${numberOf(servers) === 'one' ? 'operator' : 'operators'} of ${namesText(servers)}`;
}

/** "the owner of shop.example", "the registry of example" */
export function ownerOf(zone: Name): string {
  const labels = labelCount(zone);
  if (labels === 0) return 'the operators of the root zone';
  return `${labels === 1 ? 'the registry' : 'the owner'} of ${plain(zone)}`;
}

/** Where the owner of a zone changes its delegation: "at the registrar", or "in shop.example" above a subdomain. */
export function delegatedAt(zone: Name, { parentsOf }: Scene): string {
  if (labelCount(zone) < 2) return 'in the root zone';
  const inOthers = parentsOf(zone).filter((parent) => labelCount(parent) > 1);
  return inOthers.length === 0 ? 'at the registrar' : `in ${listed(inOthers.map(plain))}`;
}

/** What a failure at a zone costs users, in one sentence. */
export function effectAt(zone: Name, { lostAt }: Scene): string {
  const lost = lostAt(zone);
  if (lost.numerator === 0n) return 'Resolvers move on to another server, so users only wait longer.';
  if (compare(lost, ONE) === 0) {
    return `No other server of ${plain(zone)} helps: every lookup fails (SERVFAIL).`;
  }
  return `Where no other server of ${plain(zone)} helps, lookups fail (SERVFAIL): ${percent(lost)} of them.`;
}
