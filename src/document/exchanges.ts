/* The shapes of exchanges in results and in events. */

import { described, named, type Of, type Shape } from '../base/shape.ts';
import { object, optional, variants } from '../base/shape-object.ts';
import { alike, BOOLEAN, COUNT, choice, list, matching, oneOf, TEXT } from '../base/shape-values.ts';
import { BOGUS_REASONS, INSECURE_REASONS } from '../dns/dnssec/reasons.ts';
import type { Records } from '../dns/record.ts';
import type { ExchangeVerdict } from '../evaluate/step.ts';
import type { Failure, Ignored, ProbeKind, TryOutcome } from '../exchange/exchanged.ts';
import type { QueryRank } from '../exchange/query.ts';
import type { ExchangeClass, Meaning } from '../explore/meaning.ts';
import { ADDRESS, EDNS, FLAG, MILLISECONDS, NAME, QUESTION, RECORDS } from './common-shapes.ts';
import { dataOf } from './ends.ts';

/** The content of a reply by its meaning: its data, target or zone; none of them for other classes. */
export function replyContentOf(meaning: Meaning): ReplyContent {
  switch (meaning.kind) {
    case 'answer': {
      const data = dataOf(meaning.records);
      return data.join().length > LONGEST ? {} : { data };
    }
    case 'alias':
    case 'alias-loop':
      return { target: meaning.target };
    case 'referral':
      return { referredTo: meaning.delegation.zone };
    case 'lame':
      return meaning.referredTo === undefined ? {} : { referredTo: meaning.referredTo };
    case 'nxdomain':
    case 'nodata':
    case 'error':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return {};
  }
}

/** The class of an exchange for the zone of a step. */
export const EXCHANGE_CLASS = choice<ExchangeClass>({
  answer: true,
  alias: true,
  'alias-loop': true,
  nxdomain: true,
  nodata: true,
  referral: true,
  lame: true,
  error: true,
  malformed: true,
  unreachable: true,
  timeout: true,
});

const TRANSPORT = oneOf('udp', 'tcp');

/** Under which names paths come to a server. */
export const SERVER_NAMES = {
  names: described(list(NAME), 'Names under which paths come to it, sorted: all, or the first of many.'),
  namesOmitted: optional(described(COUNT, 'How many more names it has; absent: none.')),
};

/** A server: its address, with names under which paths come to it. */
export const SERVER = object({ address: ADDRESS, ...SERVER_NAMES });

const TRY_OUTCOME: Shape<TryOutcome> = variants('kind', {}, {
  reply: {
    rcode: TEXT,
    truncated: BOOLEAN,
    bytes: COUNT,
    opt: optional(described(oneOf(true), 'A refusal of EDNS had an OPT record all the same.')),
  },
  'case-mismatch': {},
  timeout: {
    connected: optional(described(oneOf(true), 'Over TCP: something had accepted the connection.')),
  },
  closed: {},
  unreachable: { code: TEXT },
} satisfies Readonly<Record<TryOutcome['kind'], object>>);

const IGNORED = named(
  'Ignored',
  described(
    object({
      reason: choice<Ignored['reason']>({
        'wrong-id': true,
        'wrong-question': true,
        undecodable: true,
        'not-a-reply': true,
      }),
      detail: optional(TEXT),
      bytes: COUNT,
      head: described(TEXT, 'Its first octets, hexadecimal.'),
    }),
    'A message that did not count.',
  ),
);

const TRY = named(
  'Try',
  object({
    transport: TRANSPORT,
    edns: BOOLEAN,
    nameCase: oneOf('mixed', 'lower'),
    sentMs: described(MILLISECONDS, 'Since the first packet of the exchange.'),
    elapsedMs: MILLISECONDS,
    outcome: TRY_OUTCOME,
    ignored: list(IGNORED),
  }),
);

const TRAFFIC = named(
  'Traffic',
  object({ packetsSent: COUNT, packetsReceived: COUNT, bytesSent: COUNT, bytesReceived: COUNT }),
);

/** The reason as resolvers tell it to their clients. */
const EDE = optional(described(COUNT, 'The info-code of RFC 8914 for the reason, if there is one.'));

const INSECURE = {
  reason: optional(described(oneOf(...INSECURE_REASONS), 'Why it is insecure.')),
  zone: optional(
    described(
      NAME,
      'The zone cut from which on nothing is proven; absent for a denial of anything else than DS records.',
    ),
  ),
  server: optional(described(object({ name: NAME, address: ADDRESS }), 'The server that proved it.')),
  algorithms: optional(
    described(list(COUNT), 'Of the DS records, if none is supported: algorithms that are not.'),
  ),
  digests: optional(described(list(COUNT), 'The same: digest types that are not supported.')),
  ede: EDE,
};

const BOGUS = {
  reason: optional(described(oneOf(...BOGUS_REASONS), 'Why it is bogus.')),
  ede: EDE,
  otherwise: optional(
    described(
      oneOf('secure', 'insecure'),
      'What it is to paths that learnt something else before, such as the keys of another server. Absent: it is bogus to all.',
    ),
  ),
};

const SECURITY = named(
  'ExchangeSecurity',
  described(
    variants('status', {}, {
      secure: {},
      insecure: INSECURE,
      bogus: BOGUS,
      unknown: {},
    } satisfies Readonly<Record<ExchangeVerdict['status'], object>>),
    'With the option `dnssec`: what a validating resolver makes of the reply, the worst of the steps that met it. Unknown where a step of the path view is not judged; absent where it has no use for the reply.',
  ),
);

/** An exchange as a result has it. `records` reads its sections. */
export function exchangeFields(records: Shape<Records>) {
  return {
    id: matching(/^x[1-9][0-9]*$/, 'an identifier of an exchange'),
    purpose: optional(
      described(
        choice<Exclude<QueryRank, 'cold'>>({ warm: true, dnssec: true, minimise: true, check: true }),
        'What it was made for, if not for the cold walk.',
      ),
    ),
    server: SERVER,
    question: QUESTION,
    transport: described(TRANSPORT, 'Of the deciding try.'),
    attempts: described(COUNT, 'Queries sent.'),
    elapsedMs: described(MILLISECONDS, 'From the first packet to the end, with all attempts and fallbacks.'),
    rcode: optional(described(TEXT, 'Of a reply, as are the following up to `edns`.')),
    flags: optional(list(FLAG)),
    rttMs: optional(MILLISECONDS),
    bytes: optional(COUNT),
    edns: optional(EDNS),
    failure: optional(
      described(
        choice<Failure['kind']>({ malformed: true, unreachable: true, timeout: true }),
        'Why there is no usable reply.',
      ),
    ),
    failureDetail: optional(TEXT),
    tries: list(TRY),
    traffic: TRAFFIC,
    answer: optional(records),
    authority: optional(records),
    additional: optional(records),
    recordsOmitted: optional(
      described(
        oneOf(true),
        'Some or all of its records were left out, because the result would be too large. On replay it counts as not asked.',
      ),
    ),
    shared: optional(
      described(
        oneOf(true),
        'Nothing was sent for it: a reply that the server gave to another name of the run stands for its own.',
      ),
    ),
    planned: optional(
      described(oneOf(true), 'Nothing was sent for it: the server is going to reply so from a zone file.'),
    ),
    source: optional(
      described(
        object({ file: TEXT, line: described(COUNT, 'Counted from 1.') }),
        'Where a zone file has the last CNAME or DNAME record of the answer, or, without one, its first record.',
      ),
    ),
    unused: optional(
      described(
        oneOf(true),
        'Its reply does not count because of a limit; no path depends on it if the result is complete.',
      ),
    ),
    security: optional(SECURITY),
  };
}

/** An exchange as recorded: with its record sections, tries and traffic. */
export const EXCHANGE = named('Exchange', object(exchangeFields(RECORDS)));

/** The list `exchanges`. */
export const EXCHANGES = listWith((records) => object(exchangeFields(records)), EXCHANGE);

/** A list of exchanges. The servers of a zone usually refer alike, in many: equal sections are read as one object. */
export function listWith<T>(
  exchangeIn: (records: Shape<Records>) => Shape<T>,
  one: Shape<unknown>,
): Shape<readonly T[]> {
  return {
    ...list(one),
    read: (value, pointer, note) => list(exchangeIn(alike(RECORDS))).read(value, pointer, note),
  };
}

/** A row of the list `exchanges`. */
export type ExchangeRow = Of<typeof EXCHANGE>;

/** What a validating resolver makes of a reply. */
export type ExchangeSecurity = Of<typeof SECURITY>;

const { tries, traffic, answer, authority, additional, recordsOmitted, unused, security, ...HEAD_FIELDS } =
  exchangeFields(RECORDS);

const HEAD = object(HEAD_FIELDS);

/** An exchange without its record sections. */
export type ExchangeHead = Of<typeof HEAD>;

/** What an event says of the content of a reply, which has no records there. */
const REPLY_CONTENT = {
  data: optional(described(list(TEXT), 'Of an answer: its sorted data, unless they are long.')),
  target: optional(described(NAME, 'Of an alias: the name that it leads to.')),
  referredTo: optional(described(NAME, 'Of a referral: the zone that it delegates, even if that is none.')),
};

const REPLY_CONTENT_ONLY = object(REPLY_CONTENT);

/** What tells two replies of the same class apart. */
type ReplyContent = Of<typeof REPLY_CONTENT_ONLY>;

/** In characters; longer data are in the result alone. */
const LONGEST = 512;

/** What an event says of an exchange. */
export const EXCHANGE_EVENT = named(
  'ExchangeEvent',
  object({
    ...HEAD_FIELDS,
    zone: described(NAME, 'Of the step that asked first.'),
    class: described(EXCHANGE_CLASS, 'What the reply means to the step that asked first.'),
    ...REPLY_CONTENT,
  }),
);

const { id, purpose, shared, planned, source, ...PUT } = HEAD_FIELDS;
const RECORDED = { ...PUT, tries, traffic, answer, authority, additional, recordsOmitted };

const PROBE_KIND = choice<ProbeKind>({
  tcp: true,
  'no-edns': true,
  'edns-version': true,
  'edns-option': true,
  recursion: true,
  'other-type': true,
  control: true,
  ancestor: true,
  'own-name': true,
  'next-name': true,
  'host-address': true,
  wildcard: true,
  authorities: true,
  repeat: true,
});

/** A probe as recorded: like an exchange, but for what it was made for. */
export const PROBE = named(
  'Probe',
  described(
    object({
      id: matching(/^p[1-9][0-9]*$/, 'an identifier of a probe'),
      kind: PROBE_KIND,
      ...RECORDED,
    }),
    'A question that was put to a server only to find out how it behaves.',
  ),
);

/** A row of the list `probes`. */
export type ProbeRow = Of<typeof PROBE>;

const { server, question, recordsOmitted: _, ...REPLIED_FIELDS } = RECORDED;

/** What came of a question, where who was asked what stands elsewhere, and no record is ever left out. */
export const REPLIED = object(REPLIED_FIELDS);

/** What came of a question, and how. */
export type RepliedRow = Of<typeof REPLIED>;
