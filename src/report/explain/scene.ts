import type { ExchangeRow } from '../../document/exchanges.ts';
import type { TraversalResult } from '../../document/result.ts';
import { answerData } from '../../document/summary.ts';
import type { End, PickedServer } from '../../evaluate/end.ts';
import { compare, type Fraction, ONE } from '../../evaluate/fraction.ts';
import { differences, weightOf } from '../../reading/agreement.ts';
import { byFamily } from '../../reading/by-family.ts';
import { bearingOf } from '../../reading/doing.ts';
import { grouped } from '../../reading/grouped.ts';
import { listed } from '../../reading/listed.ts';
import { plain } from '../../reading/names.ts';
import { percent } from '../../reading/percent.ts';
import { graphOf } from '../../reading/result-index.ts';
import { isBelow, labelCount, type Name } from '../../wire/name.ts';
import { type Question, questionKey } from '../../wire/question.ts';

/** What is to be known of a result beside an end, to explain it. */
export interface Scene {
  readonly query: Question;
  /** The zones that delegate a zone. */
  readonly parentsOf: (zone: Name) => readonly Name[];
  /** How many users get no answer because no server of the zone is usable. */
  readonly lostAt: (zone: Name) => Fraction;
  /** Whether most paths get something else, or none of several things is what most get. */
  readonly differs: (end: End) => boolean;
  /** What most paths get, if that is one thing and an answer. */
  readonly usual: readonly string[];
  /** The nearest zone above this one whose servers themselves say something else, or that there is nothing. */
  readonly rivalAbove: (end: End) => Name | undefined;
  /** Whether the last try went over TCP because the reply was too large for UDP. */
  readonly tooLargeForUdp: (end: End) => boolean;
  /** Whether all paths get the same. */
  readonly agreed: boolean;
}

/** What explanations look up in a result, gathered once. */
export function sceneOf(result: TraversalResult): Scene {
  const { query, outcomes, resolver, summary } = result;
  const parents = parentZones(result);
  const differs = differences(outcomes);
  const fallbacks = new Set(result.exchanges.filter(isFallback).map(fallbackKey));
  return {
    query,
    parentsOf: (zone) => [...(parents.get(zone) ?? [])],
    lostAt: (zone) =>
      weightOf(resolver.outcomes.filter((end) => end.kind === 'servfail' && end.zone === zone)),
    differs,
    usual:
      outcomes
        .filter((end) => !differs(end))
        .map(answerData)
        .find(({ length }) => length > 0) ?? [],
    rivalAbove: ({ zone }) =>
      outcomes
        .filter((end) => bearingOf(end) === 'ends-well' && isBelow(zone, end.zone))
        .map((end) => end.zone)
        .sort((a, b) => labelCount(b) - labelCount(a))[0],
    tooLargeForUdp: ({ server, question }) => fallbacks.has(`${server?.address} ${questionKey(question)}`),
    agreed: summary.length === 1,
  };
}

function isFallback({ tries, transport }: ExchangeRow): boolean {
  return transport === 'tcp' && tries[0]?.transport === 'udp';
}

function fallbackKey({ server, question }: ExchangeRow): string {
  return `${server.address} ${questionKey(question)}`;
}

function parentZones(result: TraversalResult): ReadonlyMap<Name, ReadonlySet<Name>> {
  const graph = graphOf(result);
  const parents = new Map<Name, Set<Name>>();
  for (const { zone, nameservers } of graph.steps) {
    for (const { class: heard, leadsTo } of nameservers.flatMap(({ addresses }) => addresses)) {
      const child = heard === 'referral' && 'step' in leadsTo ? graph.step(leadsTo.step)?.zone : undefined;
      if (child === undefined) continue;
      const known = parents.get(child);
      if (known === undefined) parents.set(child, new Set([zone]));
      else known.add(zone);
    }
  }
  return parents;
}

/** The end explained: the same for several servers. */
export interface Subject<E extends End = End> {
  readonly end: E;
  /** Each server once; empty where none was picked. */
  readonly servers: readonly PickedServer[];
}

/** "ns1.example (192.0.2.1, 2001:db8::1) and ns2.example (192.0.2.2)" */
export function serversText({ servers }: Subject): string {
  const byName = grouped(servers, ({ name }) => name).map((own) => {
    const addresses = own.map(({ address }) => address).sort(byFamily);
    return `${plain(own[0].name)} (${addresses.join(', ')})`;
  });
  return byName.length === 0 ? 'no server' : listed(byName);
}

/** Whether a sentence about the servers is about one or several. */
export function numberOf({ servers }: Subject): 'one' | 'several' {
  return new Set(servers.map(({ name }) => name)).size > 1 ? 'several' : 'one';
}

/** "the operator of ns1.example" */
export function operatorOf({ servers }: Subject): string {
  return `the operator of ${listed([...new Set(servers.map(({ name }) => plain(name)))])}`;
}

/** "the owner of shop.example", "the registry of example" */
export function ownerOf(zone: Name): string {
  const labels = labelCount(zone);
  if (labels === 0) return 'the operators of the root zone';
  return `${labels === 1 ? 'the registry' : 'the owner'} of ${plain(zone)}`;
}

/** What a failure at a zone comes to for users, in one sentence. */
export function effectAt(zone: Name, { lostAt }: Scene): string {
  const lost = lostAt(zone);
  if (lost.numerator === 0n)
    return 'A resolver that meets this goes on with another server: users only wait longer.';
  if (compare(lost, ONE) === 0)
    return `No other server of ${plain(zone)} helps: all users get an error (SERVFAIL).`;
  return `Where no other server of ${plain(zone)} helps, users get an error (SERVFAIL): ${percent(lost)} of them.`;
}
