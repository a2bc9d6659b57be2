import { described, INVALID, type Invalid, type Note, named, type Of, type Shape } from '../base/shape.ts';
import { object, optional } from '../base/shape-object.ts';
import { alike, choice, list, matching, TEXT } from '../base/shape-values.ts';
import type { Records } from '../dns/record.ts';
import type { Exchanged, Failure, Probed, ProbeKind, Reply } from '../exchange/exchanged.ts';
import type { Query } from '../exchange/query.ts';
import { EDNS, RECORDS } from './common-shapes.ts';
import {
  ASKED,
  BY_PLAN,
  DONE,
  EVIDENCE,
  EXCHANGE,
  FAILURE,
  OMISSION,
  RECORDED,
  REPLIED,
  REPLY,
  SHARED,
  SOURCE,
  UNUSED,
} from './exchanges.ts';

/** A row of the list `exchanges`, read back: the recorded exchange, or only its query if records were left out. */
export type SavedExchange =
  | { readonly kind: 'whole'; readonly exchanged: Exchanged; readonly unused: boolean }
  | { readonly kind: 'records-omitted'; readonly query: Query };

/** A row of the list `exchanges`, to be read back. */
const SAVED_EXCHANGE = savedExchange(RECORDS);

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
      const {
        server,
        question,
        transport,
        tries,
        elapsedMs,
        traffic,
        shared,
        planned,
        source,
        unused = false,
      } = saved;
      const query = { address: server.address, question };
      if (saved.recordsOmitted) return { kind: 'records-omitted', query };
      const outcome = readOutcome(value, pointer, note);
      if (outcome === INVALID) return INVALID;
      const known = { ...(shared && { shared }), ...(planned && { planned }), ...(source && { source }) };
      return {
        kind: 'whole',
        exchanged: { ...query, outcome, transport, tries, elapsedMs, traffic, ...known },
        unused,
      };
    },
  };
}

/** What came of a question, read back. */
type SavedReply = Pick<Exchanged, 'outcome' | 'transport' | 'tries' | 'elapsedMs' | 'traffic'>;

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
const SAVED_FIELDS = object({
  ...ASKED,
  ...OMISSION,
  ...EVIDENCE,
  shared: SHARED,
  planned: BY_PLAN,
  source: SOURCE,
  unused: UNUSED,
});
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

const KIND = {
  kind: choice<ProbeKind>({
    tcp: true,
    'no-edns': true,
    'edns-version': true,
    'edns-option': true,
    recursion: true,
    'other-type': true,
    ancestor: true,
    'own-name': true,
    'next-name': true,
    repeat: true,
  }),
};

/** A probe as recorded. */
export const PROBE = named(
  'Probe',
  described(
    object({ id: matching(/^p[1-9][0-9]*$/, 'an identifier of a probe'), ...KIND, ...RECORDED }),
    'A question that was put to a server only to find out how it behaves.',
  ),
);

/** A row of the list `probes`. */
export type ProbeRow = Of<typeof PROBE>;

/** A row of the list `probes`, to be read back: none if its records were left out. */
export const SAVED_PROBE: Shape<readonly Probed[]> = {
  ...PROBE,
  read: (value, pointer, note) => {
    const kind = KIND_ONLY.read(value, pointer, note);
    const saved = SAVED_EXCHANGE.read(value, pointer, note);
    if (kind === INVALID || saved === INVALID) return INVALID;
    return saved.kind === 'whole' ? [{ ...saved.exchanged, probe: kind.kind }] : [];
  },
};

const KIND_ONLY = object(KIND);
