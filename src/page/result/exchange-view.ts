import type { ExchangeRow } from '../../document/exchanges.ts';
import { REPLY_WORDS } from '../../progress/reply-words.ts';
import { count, octets, thousands, time } from '../../reading/words/quantities.ts';
import { securityWords } from '../../reading/words/security-words.ts';
import { questionKey } from '../../wire/question.ts';
import type { ResourceRecord } from '../../wire/record.ts';

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
  dnssec: 'validating alone',
};

/** "3 exchanges". */
export function exchangeCount(ids: readonly string[]): string {
  return count(ids.length, 'exchange');
}
