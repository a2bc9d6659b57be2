import type { ExchangeRow } from '../../document/exchanges.ts';
import type { Finding, Severity } from '../../document/findings.ts';
import type { TraversalResult } from '../../document/result.ts';
import { answerData } from '../../document/summary.ts';
import type { End, PickedServer } from '../../evaluate/end.ts';
import type { Fraction } from '../../evaluate/fraction.ts';
import type { FindingCode } from '../../findings/catalogue.ts';
import type { Judge } from '../../reading/account.ts';
import { comparisonOf, weightOf } from '../../reading/comparison.ts';
import { parentZones } from '../../reading/referrals.ts';
import { resultIndex } from '../../reading/result-index.ts';
import { dataTexts } from '../../reading/words/names.ts';
import { type Family, familyOf } from '../../wire/address.ts';
import type { Name } from '../../wire/name.ts';
import { type Question, questionKey } from '../../wire/question.ts';
import { type BogusEnd, bogusServers } from './bogus-servers.ts';
import { type Decider, decidersIn } from './deciders.ts';
import { repliedAddresses } from './host-replies.ts';
import { type Gain, gainsIn } from './resolver-gain.ts';

/** What the explanation of an end needs to know of the rest of its result. */
export interface Scene {
  readonly query: Question;
  /** The zones that delegate a zone. */
  parentsOf(zone: Name): readonly Name[];
  /** The share of lookups that fail because no server of the zone is usable. */
  lostAt(zone: Name): Fraction;
  readonly judge: Judge;
  /** Whether every path ends the same way. */
  readonly agreed: boolean;
  /** The answer, or denial, that most paths get; undefined where no single one is the most common. */
  readonly usual: End | undefined;
  /** The data of an answer in a sentence; different answers look different. */
  quote(end: End): string;
  /** The picks that decide on the answer of an end: they lead to no other, while others at their step do. */
  decidersOf(end: End): readonly Decider[];
  /** Why resolvers get the answer of an end more often than paths do, if failing addresses are the reason. */
  gainOf(end: End): Gain | undefined;
  /** Whether a finding of this code is about this server, at this address or at any. */
  isFound(code: FindingCode, server: PickedServer): boolean;
  /** Whether a finding of this code is about this zone. */
  isFoundIn(code: FindingCode, zone: Name): boolean;
  /** What replies with authority say that a server's addresses are, of the family of this one; none if nobody said. */
  addressesOf(server: PickedServer): readonly string[];
  /** The codes of faults of these servers, or of any: warnings and worse that are not consequences of others. */
  faultsAt(servers: readonly PickedServer[] | 'anywhere'): readonly string[];
  /** Whether the exchange switched to TCP because the reply was too large for UDP. */
  tooLargeForUdp(end: End): boolean;
  /** The servers at fault for what does not verify; none where all servers of the zone are alike. */
  bogusServers(end: BogusEnd): readonly PickedServer[];
  /** Whether any address of this family replied. */
  isHeardOver(family: Family): boolean;
}

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
    decidersOf: deciders,
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
