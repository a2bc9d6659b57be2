import type { ExchangeRow } from '../../document/exchanges.ts';
import type { Finding } from '../../document/findings.ts';
import type { TraversalResult } from '../../document/result.ts';
import { answerData } from '../../document/summary.ts';
import type { End, PickedServer } from '../../evaluate/end.ts';
import type { Fraction } from '../../evaluate/fraction.ts';
import type { FindingCode } from '../../findings/catalogue.ts';
import type { Judge } from '../../reading/account.ts';
import { comparisonOf, weightOf } from '../../reading/comparison.ts';
import { parentZones } from '../../reading/referrals.ts';
import { resultIndex } from '../../reading/result-index.ts';
import { dataText } from '../../reading/words/names.ts';
import { type Family, familyOf } from '../../wire/address.ts';
import type { Name } from '../../wire/name.ts';
import { type Question, questionKey } from '../../wire/question.ts';
import { type Decider, decidersIn } from './deciders.ts';
import { type Gain, resolverGain } from './resolver-gain.ts';

/** What explanations of ends look up in the rest of their result. */
export interface Scene {
  readonly query: Question;
  /** The zones that delegate a zone. */
  parentsOf(zone: Name): readonly Name[];
  /** How many lookups fail because no server of the zone is usable. */
  lostAt(zone: Name): Fraction;
  readonly judge: Judge;
  /** Whether every path ends in the same. */
  readonly agreed: boolean;
  /** What most paths get, if that is one thing. */
  readonly usual: End | undefined;
  /** The data of an answer in a sentence, so that it can be told from those of other answers. */
  quote(end: End): string;
  /** The picks that lead to what an end gives and to no other answer, where others lead elsewhere. */
  decidersOf(end: End): readonly Decider[];
  /** Why resolvers get what an end gives more often than paths do; undefined if nothing special is behind it. */
  gainOf(end: End): Gain | undefined;
  /** Whether a finding of this code is about this server, at this address or at any. */
  isFound(code: FindingCode, server: PickedServer): boolean;
  /** The codes of what is to be repaired at these servers, or anywhere: warnings and worse that follow from nothing else. */
  faultsAt(servers: readonly PickedServer[] | 'anywhere'): readonly string[];
  /** Whether the last try went over TCP because the reply was too large for UDP. */
  tooLargeForUdp(end: End): boolean;
  /** Whether any address of this family replied. */
  isHeardOver(family: Family): boolean;
}

/** What explanations look up in a result, gathered once. */
export function sceneOf(result: TraversalResult): Scene {
  const { query, outcomes, resolver, summary, exchanges, findings } = result;
  const index = resultIndex(result);
  const parents = parentZones(index);
  const comparison = comparisonOf(outcomes);
  const deciders = decidersIn(index);
  const fallbacks = new Set(exchanges.filter(isFallback).map(exchangeKey));
  const heard = new Set(exchanges.filter(({ rcode }) => rcode !== undefined).map(familyAsked));
  const data = [...outcomes, ...resolver.outcomes].map(answerData);
  const faults = findings.filter(isFault);
  return {
    query,
    parentsOf: (zone) => parents.get(zone) ?? [],
    lostAt: (zone) =>
      weightOf(resolver.outcomes.filter((end) => end.kind === 'servfail' && end.zone === zone)),
    ...comparison,
    agreed: summary.length === 1,
    quote: (end) => dataText(answerData(end), data),
    decidersOf: deciders,
    gainOf: (end) => resolverGain(end, deciders(end), result),
    isFound: (code, server) => findings.some((finding) => finding.code === code && isAbout(finding, server)),
    faultsAt: (servers) => {
      // That others fail is no fault of the server that is left.
      const at = (finding: Finding) =>
        servers === 'anywhere' ||
        (finding.code !== 'SINGLE_POINT_OF_FAILURE' && servers.some((server) => isAbout(finding, server)));
      return [...new Set(faults.filter(at).map(({ code }) => code))];
    },
    tooLargeForUdp: ({ server, question }) => fallbacks.has(`${server?.address} ${questionKey(question)}`),
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

function isFault({ severity, consequenceOf }: Finding): boolean {
  return consequenceOf === undefined && severity !== 'notice' && severity !== 'info';
}

function isAbout({ server }: Finding, { name, address }: PickedServer): boolean {
  return server?.name === name && (server.address === undefined || server.address === address);
}
