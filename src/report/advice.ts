/* Advice on an end: the sentences and actions, and the words that they share. */

import type { Family } from '../dns/address.ts';
import type { Question } from '../dns/message.ts';
import { labelCount, type Name } from '../dns/name.ts';
import { byFamily, grouped, listed } from '../document/words/lists.ts';
import { plain } from '../document/words/names.ts';
import { percent } from '../document/words/quantities.ts';
import type { End, PickedServer } from '../evaluate/end.ts';
import { compare, type Fraction, ONE } from '../evaluate/fraction.ts';
import type { FindingCode } from '../findings/catalogue.ts';
import type { DecidingServer } from './views/deciders.ts';
import type { EffectOf } from './views/effects.ts';

/** What an end means, and what to do about it. */
export interface Advice {
  /** Sentences for people who know what a name server is, but not much more. */
  readonly means: string;
  /** What helps, and who can do it; empty where nothing is wrong. */
  readonly actions: readonly Action[];
}

/** What someone can do: "the operator of ns1.example", "start the server". */
export interface Action {
  readonly who: string;
  readonly what: string;
}

/** An action as a sentence: "The operator of ns1.example: start the server." */
export function actionSentence({ who, what }: Action): string {
  return `${who.slice(0, 1).toUpperCase()}${who.slice(1)}: ${what}.`;
}

/** What the explanation of an end needs to know of the rest of its result. */
export interface ResultContext {
  readonly query: Question;
  /** The zones that delegate a zone. */
  parentsOf(zone: Name): readonly Name[];
  /** The share of lookups that fail because no server of the zone is usable. */
  lostAt(zone: Name): Fraction;
  readonly effectOf: EffectOf;
  /** The answer, or denial, that most paths get; undefined where no single one is the most common. */
  readonly usual: End | undefined;
  /** The data of an answer in a sentence; different answers look different. */
  quote(end: End): string;
  /** The picks that decide on the answer of an end: they lead to no other, while others at their step do. */
  decidingServers(end: End): readonly DecidingServer[];
  /** Why resolvers get the answer of an end more often than paths do, if failing addresses are the reason. */
  gainOf(end: End): Gain | undefined;
  /** Whether a finding of this code is about this server, at this address or at any. */
  isFound(code: FindingCode, server: PickedServer): boolean;
  /** Whether a finding of this code is about this zone. */
  isFoundIn(code: FindingCode, zone: Name): boolean;
  /** What replies with authority say that a server's addresses are, of the family of this one; none if nobody said. */
  addressesOf(server: PickedServer): readonly string[];
  /** Whether the exchange switched to TCP because the reply was too large for UDP. */
  tooLargeForUdp(end: End): boolean;
  /** The servers at fault for what does not verify; none where all servers of the zone are alike. */
  bogusServers(end: BogusEnd): readonly PickedServer[];
  /** Whether any address of this family replied. */
  isHeardOver(family: Family): boolean;
}

/** A share that grows in the resolver view, because other addresses of a name come before other names. */
export interface Gain {
  readonly path: Fraction;
  readonly resolver: Fraction;
  /** A failing address of a name server whose other addresses lead to what grows. */
  readonly failing: PickedServer;
}

/** What does not verify. */
export type BogusEnd = Extract<End, { kind: 'bogus' }>;

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
export function delegatedAt(zone: Name, { parentsOf }: ResultContext): string {
  if (labelCount(zone) < 2) return 'in the root zone';
  const inOthers = parentsOf(zone).filter((parent) => labelCount(parent) > 1);
  return inOthers.length === 0 ? 'at the registrar' : `in ${listed(inOthers.map(plain))}`;
}

/** What a failure at a zone costs users, in one sentence. */
export function failureCost(zone: Name, { lostAt }: ResultContext): string {
  const lost = lostAt(zone);
  if (lost.numerator === 0n) return 'Resolvers move on to another server, so users only wait longer.';
  if (compare(lost, ONE) === 0) {
    return `No other server of ${plain(zone)} helps: every lookup fails (SERVFAIL).`;
  }
  return `Where no other server of ${plain(zone)} helps, lookups fail (SERVFAIL): ${percent(lost)} of them.`;
}
