/* Findings and exchanges as the page shows them. */

import { questionKey } from '../../dns/message.ts';
import { type Name, ROOT } from '../../dns/name.ts';
import type { ResourceRecord } from '../../dns/record.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { Severity } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import { grouped, listed } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';
import { octets, thousands, time } from '../../document/words/quantities.ts';
import { exchangeVerdictWords } from '../../document/words/security-words.ts';
import { shortening } from '../../document/words/shortened.ts';
import { type Advice, adviceOn } from '../../report/views/advice.ts';
import { problemWords } from '../../report/views/faults.ts';
import { REPLY_WORDS } from '../../report/views/seen-zones.ts';
import { extendedErrorWords, type Wording } from '../../report/views/wording.ts';
import type { PictureServer } from './picture.ts';

/** What to do about a fault, as the page shows it. */
export interface FindingView extends Advice {
  readonly mark: string;
  /** What is wrong, in a line. */
  readonly line: string;
  /** A message to whoever can act; empty where nobody is named. */
  readonly letter: string;
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
    line: problemWords(advice.findings, 'whole'),
    letter: letterOf(advice, result),
    exchanges: [...ids],
    replies: differentReplies(proof, wording),
    hence: advice.hence.map((one) => viewOf(one, wording, result)),
  };
}

/** A message that can be sent as it is. */
function letterOf({ who, problem, action }: Advice, { query, finishedAt }: TraversalResult): string {
  if (who === '' || who === 'you' || action === undefined) return '';
  const seen = `Seen when looking up ${asked(query)} on ${finishedAt}.`;
  return [`To ${who}:`, '', ...problem, action.replace(/^[^:]*: /, 'What to do: '), '', seen].join('\n');
}

/** What servers replied to one question, side by side. */
function differentReplies(proof: readonly ExchangeRow[], { shorten }: Wording): readonly DifferentReply[] {
  const questions = new Set(proof.map(({ question }) => questionKey(question)));
  const replies = grouped(proof, saidIn);
  if (questions.size > 1 || replies.length < 2) return [];
  return replies.map((alike) => replyOf(alike, (row) => shorten(saidIn(row))));
}

function replyOf(
  alike: readonly [ExchangeRow, ...ExchangeRow[]],
  said: (row: ExchangeRow) => string,
): DifferentReply {
  const names = alike.map(({ server }) => plain(server.names[0] ?? ROOT));
  return { said: said(alike[0]), servers: listed([...new Set(names)]) };
}

/** A SOA record is told by its serial: the rest seldom differs. */
function saidIn({ failure, rcode = '', question, answer = [], authority = [] }: ExchangeRow): string {
  if (failure !== undefined) return REPLY_WORDS[failure];
  const data = answer.filter(({ type }) => type === question.type || question.type === 'ANY');
  const texts = data.map((record) => (record.type === 'SOA' ? serialIn(record.data) : record.data)).sort();
  if (texts.length > 0) return texts.join(', ');
  if (rcode !== 'NOERROR') return rcode;
  const referral = [...authority].find(({ type }) => type === 'NS');
  return referral === undefined ? 'no such record' : `refers to ${zoneWords(referral.name)}`;
}

function zoneWords(zone: Name): string {
  return zone === ROOT ? 'the root' : plain(zone);
}

/** The third field (RFC 1035 3.3.13). */
function serialIn(data: string): string {
  return `serial ${data.split(' ')[2] ?? '?'}`;
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

/** What one server of a zone says and others say otherwise: the fact that matters first. */
export interface Contrast {
  /** "www.a.example A", "serial of a.example", "last signature of www.a.example A ends" */
  readonly about: string;
  readonly own: string;
  /** What others say, the most frequent first, with their names. */
  readonly others: readonly DifferentReply[];
}

/** What a server says and others of its zone say otherwise, side by side. */
export function contrastsOf(
  { zones, exchanges, probes = [] }: Pick<TraversalResult, 'zones' | 'exchanges' | 'probes'>,
  { zone, address }: Pick<PictureServer, 'zone' | 'address'>,
): readonly Contrast[] {
  const peers = new Set(
    zones
      .filter((one) => one.zone === zone)
      .flatMap(({ servers }) => servers.flatMap((one) => one.address ?? [])),
  );
  const heard = [...exchanges, ...probes].filter(({ server }) => peers.has(server.address));
  const shorten = shortening(heard.map(saidIn));
  const contrasts = grouped(heard, ({ question }) => questionKey(question)).flatMap((alike) =>
    FACTS.flatMap(({ about, said }) => {
      const told = alike.filter((row) => said(row) !== '');
      const own = told.find(({ server }) => server.address === address);
      // That another one fails does not set a server apart that replies.
      const others = grouped(told, said).filter(
        ([first]) =>
          own === undefined ||
          (said(first) !== said(own) && (first.failure === undefined || own.failure !== undefined)),
      );
      if (own === undefined || others.length === 0) return [];
      const byFrequency = [...others].sort((a, b) => b.length - a.length);
      return [
        {
          about: about(own),
          own: shorten(said(own)),
          others: byFrequency.map((group) => replyOf(group, (row) => shorten(said(row)))),
        },
      ];
    }),
  );
  // That it refuses everything, or that all its signatures are as old, needs no telling for each question.
  return contrasts.filter(({ own }, at) => contrasts.findIndex((one) => one.own === own) === at);
}

/** What replies to one question are compared by. */
const FACTS: readonly {
  readonly about: (row: ExchangeRow) => string;
  /** Empty: this reply has none. */
  readonly said: (row: ExchangeRow) => string;
}[] = [
  {
    about: ({ question }) =>
      question.type === 'SOA' ? `serial of ${plain(question.name)}` : asked(question),
    said: saidIn,
  },
  { about: ({ question }) => `signature of ${asked(question)} ends`, said: lastSignature },
];

/** When the last signature in an answer ends (RFC 4034 3.2): "2026-11-29 12:00:00 UTC". */
function lastSignature({ answer = [] }: ExchangeRow): string {
  const ends = [...answer].flatMap(({ type, data }) => (type === 'RRSIG' ? (data.split(' ')[4] ?? []) : []));
  const [, year, month, day, hour, minute, second] =
    /^(....)(..)(..)(..)(..)(..)$/.exec(ends.sort().at(-1) ?? '') ?? [];
  return year === undefined ? '' : `${year}-${month}-${day} ${hour}:${minute}:${second} UTC`;
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
