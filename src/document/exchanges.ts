import type { Exchanged, Failure, Ignored, Query, QueryRank, Reply, TryOutcome } from '../exchanged.ts';
import type { ExchangeClass } from '../explore/meaning.ts';
import { alike } from '../shape/alike.ts';
import { list } from '../shape/list.ts';
import { object, optional, partial, variants } from '../shape/object.ts';
import { described, named } from '../shape/schema.ts';
import { INVALID, type Invalid, type Note, type Of, type Shape } from '../shape/shape.ts';
import { BOOLEAN, COUNT, choice, matching, oneOf, TEXT } from '../shape/values.ts';
import { BOGUS_REASONS } from '../validate/bogus-reason.ts';
import type { Records } from '../wire/records.ts';
import { ADDRESS, EDNS, FLAG, NAME, QUESTION, RECORDS } from './dns.ts';
import { MILLISECONDS } from './measures.ts';
import { REPLY_GIST } from './reply-gist.ts';

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

const DONE = {
  transport: described(TRANSPORT, 'Of the deciding try.'),
  elapsedMs: described(MILLISECONDS, 'From the first packet to the end, with all attempts and fallbacks.'),
};

const ASKED = { server: SERVER, question: QUESTION, ...DONE };

const REPLY = {
  rcode: TEXT,
  flags: list(FLAG),
  rttMs: MILLISECONDS,
  bytes: COUNT,
};

const SECTIONS = { answer: RECORDS, authority: RECORDS, additional: RECORDS };

const FAILURE = choice<Failure['kind']>({ malformed: true, unreachable: true, timeout: true });

const CAME_OF_IT = {
  ...partial(REPLY),
  edns: optional(EDNS),
  failure: optional(FAILURE),
  failureDetail: optional(TEXT),
};

const ID = matching(/^x[1-9][0-9]*$/, 'an identifier of an exchange');

const PURPOSE = optional(
  described(
    choice<Exclude<QueryRank, 'cold'>>({ dnssec: true, check: true }),
    'What it was made for, if not for the cold walk.',
  ),
);

const SHARED = optional(
  described(
    oneOf(true),
    'Nothing was sent for it: the referral that the server gave to another name of the run stands for its reply.',
  ),
);

const OUTCOME = { attempts: described(COUNT, 'Queries sent.'), ...CAME_OF_IT };

const CARRIED_OUT = { ...ASKED, ...OUTCOME };

const HEAD = { id: ID, purpose: PURPOSE, ...CARRIED_OUT, shared: SHARED };

const HEAD_ONLY = object(HEAD);

/** An exchange without its record sections. */
export type ExchangeHead = Of<typeof HEAD_ONLY>;

/** What an event says of an exchange. */
export const EXCHANGE_EVENT = named(
  'ExchangeEvent',
  object({
    ...HEAD,
    zone: described(NAME, 'Of the step that asked first.'),
    class: described(EXCHANGE_CLASS, 'What the reply means to the step that asked first.'),
    ...REPLY_GIST,
  }),
);

const TRY_OUTCOME: Shape<TryOutcome> = variants('kind', {}, {
  reply: { rcode: TEXT, truncated: BOOLEAN, bytes: COUNT },
  'case-mismatch': {},
  timeout: {},
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

const EVIDENCE = { tries: list(TRY), traffic: TRAFFIC };

const OMISSION = {
  recordsOmitted: optional(
    described(
      oneOf(true),
      'Some or all of its records were left out, because the result would be too large. On replay it counts as not asked.',
    ),
  ),
};

const SECURITY = named(
  'ExchangeSecurity',
  described(
    object({
      status: described(
        oneOf('secure', 'insecure', 'bogus', 'unknown'),
        'The worst of the steps that met it; unknown where a step of the path view is not judged.',
      ),
      reason: optional(described(oneOf(...BOGUS_REASONS), 'Why it is bogus.')),
    }),
    'With the option `dnssec`: what a validating resolver makes of the reply. Absent where it has no use for it.',
  ),
);

/** What is recorded of a question that was carried out: how, and what came of it. */
export const RECORDED = { ...CARRIED_OUT, ...partial(SECTIONS), ...OMISSION, ...EVIDENCE };

/** The same, where who was asked what stands elsewhere, and no record is ever left out. */
export const REPLIED = { ...DONE, ...OUTCOME, ...partial(SECTIONS), ...EVIDENCE };

/** An exchange as recorded: with its record sections, tries and traffic. */
export const EXCHANGE = named(
  'Exchange',
  object({ id: ID, purpose: PURPOSE, ...RECORDED, shared: SHARED, security: optional(SECURITY) }),
);

/** A row of the list `exchanges`. */
export type ExchangeRow = Of<typeof EXCHANGE>;

/** What a validating resolver makes of a reply. */
export type ExchangeSecurity = Of<typeof SECURITY>;

/** A row of the list `exchanges`, read back: the recorded exchange, or only its query if records were left out. */
export type SavedExchange =
  | { readonly kind: 'whole'; readonly exchanged: Exchanged }
  | { readonly kind: 'records-omitted'; readonly query: Query };

/** A row of the list `exchanges`, to be read back. */
export const SAVED_EXCHANGE = savedExchange(RECORDS);

/** The list `exchanges`, to be read back. The servers of a zone usually refer alike, in many exchanges. */
export const SAVED_EXCHANGES: Shape<readonly SavedExchange[]> = {
  ...list(EXCHANGE),
  read: (value, pointer, note) => list(savedExchange(alike(RECORDS))).read(value, pointer, note),
};

function savedExchange(records: Shape<Records>): Shape<SavedExchange> {
  const readOutcome = outcomeReader(records);
  return {
    ...EXCHANGE,
    read: (value, pointer, note) => {
      const saved = SAVED_FIELDS.read(value, pointer, note);
      if (saved === INVALID) return INVALID;
      const { server, question, transport, tries, elapsedMs, traffic, shared } = saved;
      const query = { address: server.address, question };
      if (saved.recordsOmitted) return { kind: 'records-omitted', query };
      const outcome = readOutcome(value, pointer, note);
      if (outcome === INVALID) return INVALID;
      const known = shared === undefined ? {} : { shared };
      return {
        kind: 'whole',
        exchanged: { ...query, outcome, transport, tries, elapsedMs, traffic, ...known },
      };
    },
  };
}

/** What came of a question, read back. */
export type SavedReply = Pick<Exchanged, 'outcome' | 'transport' | 'tries' | 'elapsedMs' | 'traffic'>;

/** What `REPLIED` describes, to be read back. */
export const SAVED_REPLY: Shape<SavedReply> = {
  ...object(REPLIED),
  read: (value, pointer, note) => {
    const done = SAVED_DONE.read(value, pointer, note);
    const outcome = readWithRecords(value, pointer, note);
    return done === INVALID || outcome === INVALID ? INVALID : { outcome, ...done };
  },
};

const SAVED_DONE = object({ ...DONE, ...EVIDENCE });
const SAVED_FIELDS = object({ ...ASKED, ...OMISSION, ...EVIDENCE, shared: SHARED });
const FAILED = object({ failure: FAILURE, failureDetail: optional(TEXT) });

const readWithRecords = outcomeReader(RECORDS);

type OutcomeReader = (value: unknown, pointer: string, note: Note) => Reply | Failure | Invalid;

function outcomeReader(records: Shape<Records>): OutcomeReader {
  const sections = { answer: records, authority: records, additional: records };
  const whole = object({ ...REPLY, edns: optional(EDNS), ...sections });
  return (value, pointer, note) => {
    if (typeof value !== 'object' || value === null) return INVALID;
    if ('failure' in value && value.failure !== undefined) return readFailure(value, pointer, note);
    const reply = whole.read(value, pointer, note);
    return reply === INVALID ? INVALID : { kind: 'reply', ...reply };
  };
}

function readFailure(value: object, pointer: string, note: Note): Failure | Invalid {
  const failed = FAILED.read(value, pointer, note);
  if (failed === INVALID) return INVALID;
  const { failure, failureDetail } = failed;
  return { kind: failure, ...(failureDetail === undefined ? {} : { detail: failureDetail }) };
}
