import type { ExchangeRow } from '../../document/exchanges.ts';
import type { Finding, Severity } from '../../document/findings.ts';
import type { TraversalResult } from '../../document/result.ts';
import { answerData } from '../../document/summary.ts';
import type { PickedServer } from '../../evaluate/end.ts';

import { comparisonOf, weightOf } from '../../reading/comparison.ts';
import { parentZones } from '../../reading/referrals.ts';
import { resultIndex } from '../../reading/result-index.ts';
import { dataTexts } from '../../reading/words/names.ts';
import { type Family, familyOf } from '../../wire/address.ts';
import type { Name } from '../../wire/name.ts';
import { questionKey } from '../../wire/question.ts';
import { bogusServers } from './bogus-servers.ts';
import { decidersIn } from './deciders.ts';
import { repliedAddresses } from './host-replies.ts';
import type { Scene } from './known.ts';
import { gainsIn } from './resolver-gain.ts';

/** Gathers what explanations need to know of a result. */
export function sceneOf(result: TraversalResult): Scene {
  const { query, outcomes, resolver, summary, exchanges, findings } = result;
  const index = resultIndex(result);
  const parents = parentZones(index);
  const comparison = comparisonOf(outcomes);
  const deciders = decidersIn(index);
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
