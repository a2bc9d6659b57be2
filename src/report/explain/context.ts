import { getOrMake } from '../../base/memo.ts';
import { type Family, familyOf } from '../../dns/address.ts';
import { questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import { answerData, type OutcomeRow } from '../../document/ends.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { Finding, Severity } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { StepRow } from '../../document/steps.ts';
import { grouped } from '../../document/words/lists.ts';
import { dataTexts } from '../../document/words/names.ts';
import type { End, PickedServer } from '../../evaluate/end.ts';
import { compare, type Fraction, ZERO } from '../../evaluate/fraction.ts';
import type { DecidingServer, Gain, ResultContext } from '../advice.ts';
import { comparisonOf, contentKey, ownEffect, weightOf } from '../views/effects.ts';
import { mainWalk, type Next, parentZones, type ResultIndex, resultIndex } from '../views/result-index.ts';
import { bogusServers } from './bogus.ts';

/** Gathers what explanations need to know of a result. */
export function contextOf(result: TraversalResult): ResultContext {
  const { query, outcomes, resolver, summary, exchanges, findings } = result;
  const index = resultIndex(result);
  const parents = parentZones(index);
  const comparison = comparisonOf(outcomes);
  const deciders = decidingServersIn(index);
  const fallbacks = new Set(exchanges.filter(isFallback).map(exchangeKey));
  const heard = new Set(exchanges.filter(({ rcode }) => rcode !== undefined).map(familyAsked));
  const quote = dataTexts([...outcomes, ...resolver.outcomes].map(answerData));
  const found = new Set(findings.map(({ code, server }) => foundKey(code, server?.name, server?.address)));
  const inZones = new Set(findings.map(({ code, zone }) => `${code} ${zone}`));
  const faults = findings.filter(isFault);
  return {
    query,
    parentsOf: (zone) => parents.get(zone) ?? [],
    lostAt: (zone) =>
      weightOf(resolver.outcomes.filter((end) => end.kind === 'servfail' && end.zone === zone)),
    ...comparison,
    agreed: summary.length === 1,
    quote: (end) => quote(answerData(end)),
    decidingServers: deciders,
    gainOf: gainsIn(result, deciders),
    isFound: (code, { name, address }) =>
      found.has(foundKey(code, name)) || found.has(foundKey(code, name, address)),
    isFoundIn: (code, zone) => inZones.has(`${code} ${zone}`),
    addressesOf: repliedAddresses(result),
    faultsAt: (servers) => {
      // A single point of failure is not at fault itself: the servers beside it are.
      const at = (finding: Finding) =>
        servers === 'anywhere' ||
        (finding.code !== 'SINGLE_POINT_OF_FAILURE' && servers.some((server) => isAbout(finding, server)));
      return [...new Set(faults.filter(at).map(({ code }) => code))];
    },
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

function isFault({ severity, consequenceOf }: Finding): boolean {
  return consequenceOf === undefined && IS_GRAVE[severity];
}

const IS_GRAVE: Readonly<Record<Severity, boolean>> = {
  critical: true,
  error: true,
  warning: true,
  notice: false,
  info: false,
};

function isAbout({ server }: Finding, { name, address }: PickedServer): boolean {
  return server?.name === name && (server.address === undefined || server.address === address);
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

/** Finds the picks that decide on the answer of an end. */
function decidingServersIn(index: ResultIndex): (end: End) => readonly DecidingServer[] {
  const contents = contentsBehind(index);
  const behind = (next: Next) => contentsAfter(next, contents);
  const deciders = new Map<string, DecidingServer[]>();
  for (const [step, several] of contents) {
    if (several.size < 2) continue;
    for (const { name, addresses } of step.nameservers) {
      for (const { address, leadsTo } of addresses) {
        const next = index.next(leadsTo);
        const [only, ...others] = behind(next);
        if (only === undefined || others.length > 0) continue;
        const how = next.kind === 'end' ? 'answers' : 'leads-on';
        getOrMake(deciders, only, () => []).push({ name, address, zone: step.zone, how });
      }
    }
  }
  return (end) => deciders.get(contentKey(end)) ?? [];
}

type Contents = ReadonlyMap<StepRow, ReadonlySet<string>>;

/** The answers and denials behind each step of the main walk; failures do not count. */
function contentsBehind(index: ResultIndex): Contents {
  const contents = new Map<StepRow, ReadonlySet<string>>();
  // A step follows all that lead to it, so what is behind it is known first.
  for (const step of [...mainWalk(index).steps].reverse()) {
    const behind = step.nameservers.flatMap(({ addresses }) =>
      addresses.flatMap(({ leadsTo }) => [...contentsAfter(index.next(leadsTo), contents)]),
    );
    contents.set(step, new Set(behind));
  }
  return contents;
}

function contentsAfter(next: Next, contents: Contents): ReadonlySet<string> {
  if (next.kind === 'step') return contents.get(next.step) ?? new Set();
  return new Set(ownEffect(next.end) === 'ends-well' ? [contentKey(next.end)] : []);
}

/** Finds out why resolvers get the answer of an end more often than paths do, if failing addresses are the reason. */
function gainsIn(
  { outcomes, resolver }: TraversalResult,
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
