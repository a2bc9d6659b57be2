/* Findings and exchanges as the page shows them. */

import { questionKey } from '../../dns/message.ts';
import type { ResourceRecord } from '../../dns/record.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { Finding, Severity } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import { securityWords } from '../../document/words/end-words.ts';
import { octets, thousands, time } from '../../document/words/quantities.ts';
import type { BoxServer } from '../../report/diagram.ts';
import {
  type AlikeFindings,
  findingFamilies,
  findingPlace,
  findingSentences,
} from '../../report/views/findings.ts';
import { REPLY_WORDS } from '../../traversal/seen-zones.ts';

/** Findings that say the same, as the page shows them. */
export interface FindingView {
  readonly key: string;
  readonly severity: Severity;
  readonly code: string;
  readonly place: string;
  readonly sentences: readonly string[];
  /** Identifiers of the exchanges that prove it. */
  readonly exchanges: readonly string[];
  readonly findings: AlikeFindings;
}

/** A finding, with those that merely follow from it. */
export interface FindingFamilyView extends FindingView {
  readonly consequences: readonly FindingView[];
}

/** The findings of a result, the worst first. */
export function findingViews({ findings }: Pick<TraversalResult, 'findings'>): readonly FindingFamilyView[] {
  return findingFamilies(findings, 'terse').map(({ alike, consequences }) => ({
    ...viewOf(alike),
    consequences: consequences.map(viewOf),
  }));
}

function viewOf(alike: AlikeFindings): FindingView {
  const [first] = alike;
  return {
    key: first.id,
    severity: first.severity,
    code: first.code,
    place: findingPlace(first),
    sentences: findingSentences(alike),
    exchanges: [...new Set(alike.flatMap(({ exchanges }) => exchanges))],
    findings: alike,
  };
}

/** Says of a server whether findings are about it. */
export type PointsAt = (server: BoxServer) => boolean;

/** Points at no server. */
export const POINTS_NOWHERE: PointsAt = () => false;

/** The servers that findings are about: those they name, otherwise those whose exchanges prove them. */
export function pointsAt(
  findings: readonly Finding[],
  { exchanges }: Pick<TraversalResult, 'exchanges'>,
): PointsAt {
  const addresses = new Map(exchanges.map(({ id, server }) => [id, server.address]));
  const each = findings.map((finding) => pointer(finding, addresses));
  return (server) => each.some((points) => points(server));
}

function pointer({ server, zone, exchanges }: Finding, addresses: ReadonlyMap<string, string>): PointsAt {
  if (server !== undefined) {
    const { name, address } = server;
    return (one) => one.name === name && (address === undefined || one.address === address);
  }
  const proven = new Set(exchanges.flatMap((id) => addresses.get(id) ?? []));
  return (one) =>
    one.address !== undefined && proven.has(one.address) && (zone === undefined || one.zone === zone);
}

/** An exchange, as the page shows it. */
export interface ExchangeView {
  readonly id: string;
  readonly server: string;
  readonly question: string;
  readonly reply: string;
  readonly facts: readonly ExchangeFact[];
  readonly sections: readonly RecordSection[];
}

interface ExchangeFact {
  readonly term: string;
  readonly words: string;
}

/** A section of a reply that has records. */
interface RecordSection {
  readonly title: string;
  readonly records: readonly ResourceRecord[];
}

/** Describes an exchange. */
export function exchangeView(exchange: ExchangeRow): ExchangeView {
  const { id, server, question, answer = [], authority = [], additional = [] } = exchange;
  const facts: readonly ExchangeFact[] = [
    { term: 'Flags', words: (exchange.flags ?? []).join(' ') },
    { term: 'EDNS', words: ednsWords(exchange) },
    { term: 'Tries', words: exchange.tries.map(tryWords).join('; ') },
    { term: 'Validation', words: securityWords(exchange.security) ?? '' },
    { term: 'Made for', words: exchange.purpose === undefined ? '' : PURPOSES[exchange.purpose] },
    { term: 'Shared', words: exchange.shared ? 'nothing was sent: the same referral was known already' : '' },
    { term: 'Records', words: exchange.recordsOmitted ? 'left out, as the result would be too large' : '' },
  ];
  const sections = [
    { title: 'Answer', records: [...answer] },
    { title: 'Authority', records: [...authority] },
    { title: 'Additional', records: [...additional] },
  ];
  return {
    id,
    server: `${server.names[0] ?? ''} ${server.address}`.trim(),
    question: questionKey(question),
    reply: replyWords(exchange),
    facts: facts.filter(({ words }) => words !== ''),
    sections: sections.filter(({ records }) => records.length > 0),
  };
}

function replyWords({
  failure,
  failureDetail,
  rcode = '',
  bytes = 0,
  elapsedMs,
  transport,
}: ExchangeRow): string {
  const took = `in ${time(elapsedMs)}`;
  if (failure === undefined) return `${rcode}, ${octets(bytes)} ${took} over ${transport.toUpperCase()}`;
  const detail = failureDetail === undefined ? '' : ` (${failureDetail})`;
  return `${REPLY_WORDS[failure]}${detail} ${took}`;
}

function ednsWords({ edns }: ExchangeRow): string {
  if (edns === undefined) return '';
  return `version ${edns.version}, up to ${thousands(edns.payloadSize)} octets${edns.do ? ', DO' : ''}`;
}

function tryWords({ transport, edns, outcome, elapsedMs }: ExchangeRow['tries'][number]): string {
  const how = `${transport.toUpperCase()}${edns ? '' : ' without EDNS'}`;
  switch (outcome.kind) {
    case 'reply':
      return `${how}: ${outcome.rcode}${outcome.truncated ? ', truncated' : ''} after ${time(elapsedMs)}`;
    case 'case-mismatch':
      return `${how}: a name in other letters after ${time(elapsedMs)}`;
    case 'timeout':
      return `${how}: no reply within ${time(elapsedMs)}`;
    case 'closed':
      return `${how}: the connection was closed after ${time(elapsedMs)}`;
    case 'unreachable':
      return `${how}: unreachable (${outcome.code})`;
  }
}

const PURPOSES: Readonly<Record<NonNullable<ExchangeRow['purpose']>, string>> = {
  check: 'the option --check alone',
  warm: 'the warm walk alone',
  dnssec: 'validating alone',
};
