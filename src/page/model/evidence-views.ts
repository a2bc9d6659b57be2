/* Findings and exchanges as the page shows them. */

import { questionKey } from '../../dns/message.ts';
import { ROOT } from '../../dns/name.ts';
import type { ResourceRecord } from '../../dns/record.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { Finding, Severity } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { octets, thousands, time } from '../../document/words/quantities.ts';
import { exchangeVerdictWords } from '../../document/words/security-words.ts';
import type { BoxServer } from '../../report/diagram.ts';
import { type Advice, adviceOn } from '../../report/views/advice.ts';
import { REPLY_WORDS } from '../../report/views/seen-zones.ts';
import { extendedErrorWords, type Wording } from '../../report/views/wording.ts';

/** What to do about a fault, as the page shows it. */
export interface FindingView extends Advice {
  readonly mark: string;
  /** Identifiers of the exchanges that prove it. */
  readonly exchanges: readonly string[];
  /** The replies that differ, each with the servers that gave it; empty where there are not two. */
  readonly replies: readonly DifferentReply[];
  readonly hence: readonly FindingView[];
}

/** A reply, and the servers that gave it. */
interface DifferentReply {
  readonly said: string;
  readonly servers: string;
}

/** What to do about a result, the worst first. */
export function toDoViews(result: TraversalResult, wording: Wording): readonly FindingView[] {
  return adviceOn(result.findings, wording.detail).map((advice) => {
    const cause = viewOf(advice, wording, result);
    // The data that users get stand beside their cause: an old serial alone does not tell who gets an old address.
    const replies = [cause, ...cause.hence].find((one) => one.replies.length > 0)?.replies ?? [];
    return { ...cause, replies, hence: cause.hence.map((one) => ({ ...one, replies: [] })) };
  });
}

function viewOf(advice: Advice, wording: Wording, result: TraversalResult): FindingView {
  const ids = new Set(advice.findings.flatMap(({ evidence }) => evidence));
  const proof = result.exchanges.filter(({ id }) => ids.has(id));
  return {
    ...advice,
    mark: SEVERITY_MARKS[advice.severity],
    exchanges: [...ids],
    replies: differentReplies(proof, wording),
    hence: advice.hence.map((one) => viewOf(one, wording, result)),
  };
}

/** What servers replied to one question, side by side. */
function differentReplies(proof: readonly ExchangeRow[], { shorten }: Wording): readonly DifferentReply[] {
  const questions = new Set(proof.map(({ question }) => questionKey(question)));
  const replies = grouped(proof, saidIn);
  if (questions.size > 1 || replies.length < 2) return [];
  return replies.map((alike) => ({
    said: shorten(saidIn(alike[0])),
    servers: listed([...new Set(alike.map(({ server }) => plain(server.names[0] ?? ROOT)))]),
  }));
}

function saidIn({ failure, rcode = '', question, answer = [] }: ExchangeRow): string {
  if (failure !== undefined) return REPLY_WORDS[failure];
  const data = answer.filter(({ type }) => type === question.type || question.type === 'ANY');
  const texts = data.map((record) => record.data).sort();
  return texts.length > 0 ? texts.join(', ') : rcode === 'NOERROR' ? 'no such record' : rcode;
}

/** For readers who cannot see colours. */
const SEVERITY_MARKS: Readonly<Record<Severity, string>> = {
  critical: '✖',
  error: '✗',
  warning: '▲',
  notice: '◆',
  info: '●',
};

/** The exchanges and probes with these identifiers. */
export function evidenceIn(
  { exchanges, probes = [] }: Pick<TraversalResult, 'exchanges' | 'probes'>,
  ids: readonly string[],
): readonly ExchangeRow[] {
  return [...exchanges, ...probes].filter(({ id }) => ids.includes(id));
}

/** Says of a server whether findings are about it. */
export type PointsAt = (server: BoxServer) => boolean;

/** Points at no server. */
export const POINTS_NOWHERE: PointsAt = () => false;

/** The servers that findings are about: those they name, otherwise those whose exchanges prove them. */
export function pointsAt(
  findings: readonly Finding[],
  { exchanges, probes = [] }: Pick<TraversalResult, 'exchanges' | 'probes'>,
): PointsAt {
  const addresses = new Map([...exchanges, ...probes].map(({ id, server }) => [id, server.address]));
  const each = findings.map((finding) => pointer(finding, addresses));
  return (server) => each.some((points) => points(server));
}

function pointer({ server, zone, evidence }: Finding, addresses: ReadonlyMap<string, string>): PointsAt {
  if (server !== undefined) {
    const { name, address } = server;
    return (one) => one.name === name && (address === undefined || one.address === address);
  }
  const proven = new Set(evidence.flatMap((id) => addresses.get(id) ?? []));
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
    { term: 'Errors', words: extendedErrorWords(exchange.edns).join('; ') },
    { term: 'Tries', words: exchange.tries.map(tryWords).join('; ') },
    { term: 'Validation', words: exchangeVerdictWords(exchange) ?? '' },
    { term: 'Made for', words: exchange.purpose === undefined ? '' : PURPOSES[exchange.purpose] },
    { term: 'Shared', words: exchange.shared ? 'nothing was sent: the reply was known already' : '' },
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
  minimise: 'minimised names alone',
};
