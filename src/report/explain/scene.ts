import type { End, PickedServer } from '../../evaluate/end.ts';
import { compare, type Fraction, ONE } from '../../evaluate/fraction.ts';
import { type Name, ROOT } from '../../wire/name.ts';
import type { Question } from '../../wire/question.ts';
import { listed, named, percent, plain } from '../findings/words.ts';
import type { TraversalResult } from '../result.ts';
import { answerData } from '../summary.ts';
import { differences, weightOf } from '../text/agreement.ts';
import { graphOf } from '../text/graph.ts';

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
  /** Whether all paths get the same. */
  readonly agreed: boolean;
}

export function sceneOf(result: TraversalResult): Scene {
  const { query, outcomes, resolver, summary } = result;
  const parents = parentZones(result);
  const differs = differences(outcomes);
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
    agreed: summary.length === 1,
  };
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

/** "ns1.example (192.0.2.1) and ns2.example (192.0.2.2)" */
export function serversText({ servers }: Subject): string {
  return servers.length === 0 ? 'no server' : listed(servers.map(named));
}

/** "the operator of ns1.example" */
export function operatorOf({ servers }: Subject): string {
  return `the operator of ${listed([...new Set(servers.map(({ name }) => plain(name)))])}`;
}

/** "the owner of example" */
export function ownerOf(zone: Name): string {
  return zone === ROOT ? 'the root zone' : `the owner of ${plain(zone)}`;
}

/** What a failure at a zone comes to for users, in one sentence. */
export function effectAt(zone: Name, { lostAt }: Scene): string {
  const lost = lostAt(zone);
  if (lost.numerator === 0n)
    return 'A resolver that meets this tries another server, so users get an answer all the same, only later.';
  if (compare(lost, ONE) === 0)
    return `No other server of ${plain(zone)} helps: all users get an error (SERVFAIL).`;
  return `Where no other server of ${plain(zone)} helps, users get an error (SERVFAIL): ${percent(lost)} of them.`;
}
