/* Addresses that give several aliases by turns: svc-model(7), ANSWERS THAT VARY. */

import { getOrMake } from '../base/memo.ts';
import type { Name } from '../dns/name.ts';
import { comparableData } from '../dns/record.ts';
import type { Exchanged, Probed } from '../exchange/exchanged.ts';
import { queryKey } from '../exchange/query.ts';
import { firstAlias } from './aliases.ts';
import type { Recording } from './recording.ts';

type Heard = Pick<Recording, 'exchanges' | 'probes'>;

/** The repeats that brought an alias which the first reply of the address had not: one for each such alias. */
export function furtherAliases({ exchanges, probes }: Heard): readonly Probed[] {
  const known = new Map<string, Set<Name>>();
  return probes.filter((one) => {
    const first = exchanges.get(queryKey(one));
    const target = aliasIn(one);
    if (one.probe !== 'repeat' || first === undefined || target === undefined) return false;
    const targets = getOrMake(known, queryKey(one), () => new Set([aliasIn(first)].filter(isDefined)));
    if (targets.has(target)) return false;
    targets.add(target);
    return true;
  });
}

/** The same without those whose target was asked nowhere, by the key of their question: recordings may be older than that. */
export function followedAliases(heard: Heard): ReadonlyMap<string, readonly Probed[]> {
  const further = furtherAliases(heard);
  const asked = further.length === 0 ? new Set<Name>() : namesAsked(heard);
  const followed = new Map<string, Probed[]>();
  for (const one of further)
    if (isFollowed(one, asked)) getOrMake(followed, queryKey(one), () => []).push(one);
  return followed;
}

/** A distinct reply of an address, and how many of its replies were this one. */
export interface Turn {
  readonly exchanged: Exchanged;
  readonly replies: number;
}

/** The replies of each address that gives several aliases, or an alias and something else, sorted by what they say; by the key of the question. */
export function aliasTurns(heard: Heard): ReadonlyMap<string, readonly Turn[]> {
  const further = followedAliases(heard);
  const turning = new Map<string, Exchanged[]>();
  for (const one of heard.probes) {
    const key = queryKey(one);
    const first = heard.exchanges.get(key);
    const mayTurn = first !== undefined && (further.has(key) || aliasIn(first) !== undefined);
    if (one.probe === 'repeat' && mayTurn) getOrMake(turning, key, () => [first]).push(one);
  }
  const asked = turning.size === 0 ? new Set<Name>() : namesAsked(heard);
  const turns = [...turning].map(([key, replies]) => {
    const alike = new Map<string, Exchanged[]>();
    for (const one of replies) if (isFollowed(one, asked)) getOrMake(alike, saidIn(one), () => []).push(one);
    alike.delete(NOTHING);
    const sorted = [...alike].sort(([a], [b]) => (a < b ? -1 : 1));
    return [key, sorted.flatMap(([, same]) => turnOf(same))] as const;
  });
  return new Map(turns.filter(([, distinct]) => distinct.length > 1));
}

function turnOf(same: readonly Exchanged[]): readonly Turn[] {
  return same.slice(0, 1).map((exchanged) => ({ exchanged, replies: same.length }));
}

function aliasIn({ outcome, question }: Exchanged): Name | undefined {
  return outcome.kind === 'reply' ? firstAlias(outcome.answer, question)?.target : undefined;
}

function isDefined(target: Name | undefined): target is Name {
  return target !== undefined;
}

function namesAsked({ exchanges }: Heard): ReadonlySet<Name> {
  return new Set([...exchanges.values()].map(({ question }) => question.name));
}

function isFollowed(one: Exchanged, asked: ReadonlySet<Name>): boolean {
  const target = aliasIn(one);
  return target === undefined || asked.has(target);
}

const NOTHING = '';

/** A text that is equal for replies that say the same; empty for one that says nothing. */
function saidIn(one: Exchanged): string {
  const { outcome, question } = one;
  const target = aliasIn(one);
  if (target !== undefined) return `alias ${target}`;
  if (outcome.kind !== 'reply' || (outcome.rcode !== 'NOERROR' && outcome.rcode !== 'NXDOMAIN'))
    return NOTHING;
  const data = outcome.answer.filter(({ type }) => type === question.type).map(comparableData);
  return [outcome.rcode, ...data.sort()].join('\n');
}
