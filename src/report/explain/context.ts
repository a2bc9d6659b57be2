import { getOrMake } from '../../base/memo.ts';
import { type Family, familyOf } from '../../dns/address.ts';
import { questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import { answerData, type OutcomeRow } from '../../document/ends.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { TraversalResult } from '../../document/result.ts';
import { grouped } from '../../document/words/lists.ts';
import { dataTexts } from '../../document/words/names.ts';
import type { End, PickedServer } from '../../evaluate/end.ts';
import { compare, type Fraction, ZERO } from '../../evaluate/fraction.ts';
import type { Gain, ResultContext } from '../advice.ts';
import { decidingServersIn } from '../views/deciders.ts';
import { contentKey, ownEffect, weightOf } from '../views/effects.ts';
import { parentZones } from '../views/result-index.ts';
import type { ResultView } from '../views/result-view.ts';
import { bogusServers } from './bogus.ts';

/** Gathers what explanations need to know of a result. */
export function contextOf({ result, index, effectOf, usual }: ResultView): ResultContext {
  const {
    query,
    views: {
      'first-tries': { outcomes },
      resolver,
    },
    exchanges,
    findings,
  } = result;
  const parents = parentZones(index);
  const deciders = decidingServersIn(index);
  const fallbacks = new Set(exchanges.filter(isFallback).map(exchangeKey));
  const heard = new Set(exchanges.filter(({ rcode }) => rcode !== undefined).map(familyAsked));
  const quote = dataTexts([...outcomes, ...resolver.outcomes].map(answerData));
  const found = new Set(findings.map(({ code, server }) => foundKey(code, server?.name, server?.address)));
  const inZones = new Set(findings.map(({ code, zone }) => `${code} ${zone}`));
  return {
    query,
    parentsOf: (zone) => parents.get(zone) ?? [],
    lostAt: (zone) =>
      weightOf(resolver.outcomes.filter((end) => end.kind === 'servfail' && end.zone === zone)),
    effectOf,
    usual,
    quote: (end) => quote(answerData(end)),
    decidingServers: deciders,
    gainOf: gainsIn(result, deciders),
    isFound: (code, { name, address }) =>
      found.has(foundKey(code, name)) || found.has(foundKey(code, name, address)),
    isFoundIn: (code, zone) => inZones.has(`${code} ${zone}`),
    addressesOf: repliedAddresses(result),
    tooLargeForUdp: ({ server, question }) => fallbacks.has(`${server?.address} ${questionKey(question)}`),
    bogusServers: (end) => bogusServers(end, index),
    isHeardOver: (family) => heard.has(family),
  };
}

function isFallback({ tries, transport }: ExchangeRow): boolean {
  return transport === 'tcp' && tries[0]?.transport === 'udp';
}

function exchangeKey({ server, question }: ExchangeRow): string {
  return `${server.address} ${questionKey(question)}`;
}

function familyAsked({ server }: ExchangeRow): Family {
  return familyOf(server.address);
}

function foundKey(code: string, name?: Name, address?: string): string {
  return [code, name, address].join(' ');
}

/** The addresses that replies with authority give a name server, of the family of the one at which it was asked. */
function repliedAddresses({
  exchanges,
}: Pick<TraversalResult, 'exchanges'>): (server: PickedServer) => readonly string[] {
  const byName = new Map<Name, Set<string>>();
  for (const { question, flags = [], answer = [] } of exchanges) {
    if (!flags.includes('aa') || (question.type !== 'A' && question.type !== 'AAAA')) continue;
    for (const { name, type, data } of answer) {
      if (name !== question.name || type !== question.type) continue;
      getOrMake(byName, name, () => new Set<string>()).add(data);
    }
  }
  return ({ name, address }) =>
    [...(byName.get(name) ?? [])].filter((one) => familyOf(one) === familyOf(address)).sort();
}

/** Finds out why resolvers get the answer of an end more often than paths do, if failing addresses are the reason. */
function gainsIn(
  {
    views: {
      'first-tries': { outcomes },
      resolver,
    },
  }: TraversalResult,
  decidingServers: (end: End) => readonly PickedServer[],
): (end: End) => Gain | undefined {
  const [paths, resolved] = [outcomes, resolver.outcomes].map(sharesOf);
  const failures = outcomes.filter((end) => ownEffect(end) === 'fails').flatMap(({ server }) => server ?? []);
  const failingAt = new Map(failures.map((server) => [server.name, server]));
  return (end) => {
    const [path = ZERO, resolver = ZERO] = [paths, resolved].map((shares) => shares?.get(contentKey(end)));
    const [failing] = decidingServers(end).flatMap(({ name }) => failingAt.get(name) ?? []);
    return failing !== undefined && compare(resolver, path) > 0 ? { path, resolver, failing } : undefined;
  };
}

/** How often each answer or denial occurs in a view. */
function sharesOf(outcomes: readonly OutcomeRow[]): ReadonlyMap<string, Fraction> {
  const contents = grouped(
    outcomes.filter((end) => ownEffect(end) === 'ends-well'),
    contentKey,
  );
  return new Map(contents.map((alike) => [contentKey(alike[0]), weightOf(alike)]));
}
