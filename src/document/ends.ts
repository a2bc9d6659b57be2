/* The shape of ends and views in a result, and the functions that fill it. */

import { described, later, type NamedShape, named, type Of } from '../base/shape.ts';
import { type Fields, object, optional, variants } from '../base/shape-object.ts';
import { BOOLEAN, COUNT, choice, list, nullable, oneOf, TEXT } from '../base/shape-values.ts';
import { BOGUS_REASONS } from '../dns/dnssec/reasons.ts';
import type { Outcome } from '../evaluate/distribution.ts';
import { answerData, type End, type EndKind, unexamined } from '../evaluate/end.ts';
import {
  add,
  compare,
  type Fraction,
  fractionText,
  lowestTerms,
  readFraction,
  toNumber,
  ZERO,
} from '../evaluate/fraction.ts';
import type { LameReason } from '../explore/meaning.ts';
import { ADDRESS, EXACT_FIELDS, type Exact, NAME, QUESTION, RECORDS } from './common-shapes.ts';

export { answerData, dataOf } from '../evaluate/end.ts';

/** The members of every kind of end: where the path stops. */
const AT = {
  question: described(QUESTION, 'Of the step where the path stops.'),
  zone: described(NAME, 'Of the step where the path stops.'),
  server: described(nullable(object({ name: NAME, address: ADDRESS })), 'Null where none was picked.'),
};

const NOTHING = {};

/** What belongs to a limit: its value. */
export const LIMIT = { limit: COUNT };

/** What belongs to a query limit. */
export const QUERY_LIMIT = {
  ...LIMIT,
  unit: optional(described(oneOf('packets', 'octets'), 'What was used up, if not questions.')),
};

/** What belongs to a time limit. */
export const TIME_LIMIT = {
  ...LIMIT,
  reason: optional(
    described(oneOf('cancelled'), 'Why no time was left, if the traversal did not use it all up.'),
  ),
};

/** What belongs to an end, or a question, that policy forbids. */
export const BLOCKED = {
  reason: optional(
    described(
      oneOf('denied', 'special-purpose'),
      'Why policy forbids it: a deny list, or what the address is. Absent only where an earlier version wrote it.',
    ),
  ),
};

const A_CAUSE = later('End', () => END);

const NO_ADDRESS = {
  nameserver: NAME,
  cause: optional(described(A_CAUSE, 'Why its address was not found.')),
};

const SECURED = {
  security: optional(
    described(
      oneOf('secure', 'insecure'),
      'In the validating view: whether all that led to this end was proven.',
    ),
  ),
};

const SEEN = {
  seen: optional(
    described(
      object({
        replies: COUNT,
        of: COUNT,
        by: optional(
          described(
            oneOf('alias'),
            'An alias that turns leads there: of its replies. Absent: of the address.',
          ),
        ),
      }),
      'Machines with different versions reply at the address, or an alias that leads there turns: how many of the replies were this one.',
    ),
  ),
};

const EXPECTED = { expected: optional(described(oneOf(true), 'The end matches the option `expect`.')) };

/** What belongs to each kind of end. */
const KINDS = {
  answer: {
    records: described(RECORDS, 'Of the type asked.'),
    authoritative: BOOLEAN,
    varies: optional(
      described(
        oneOf(true),
        'The servers rotate their answers: `records` has all records that they returned.',
      ),
    ),
    rotatesWith: optional(
      described(
        list(TEXT),
        'The sorted data of all answers that count as the same answer: those behind aliases that rotate.',
      ),
    ),
    ...SECURED,
    ...SEEN,
    ...EXPECTED,
  },
  nodata: { ...SECURED, ...SEEN, ...EXPECTED },
  nxdomain: { ...SECURED, ...SEEN, ...EXPECTED },
  error: { rcode: TEXT },
  lame: {
    reason: choice<LameReason>({ upward: true, self: true, sideways: true, empty: true }),
    referredTo: optional(described(NAME, 'The zone of the NS records.')),
  },
  malformed: NOTHING,
  unreachable: NOTHING,
  timeout: {
    cause: optional(
      described(A_CAUSE, 'Of a profile: what its resolver comes to when its client no longer waits.'),
    ),
  },
  'unresolvable-ns': NO_ADDRESS,
  'no-glue': NO_ADDRESS,
  loop: { nameserver: NAME },
  'alias-loop': { target: NAME, ...SECURED },
  servfail: {
    cause: optional(described(A_CAUSE, 'In the validating view: the failure that most addresses show.')),
  },
  bogus: { reason: described(oneOf(...BOGUS_REASONS), 'Why it does not verify.') },
  blocked: BLOCKED,
  'depth-limit': LIMIT,
  'query-limit': QUERY_LIMIT,
  'time-limit': TIME_LIMIT,
  'work-limit': LIMIT,
} satisfies Readonly<Record<EndKind, Fields>>;

/** The kind of an end. */
export const END_KIND = named('EndKind', choice<EndKind>(KINDS));

/** Where a path stops. */
const END: NamedShape<End> = named('End', described(variants('kind', AT, KINDS), 'Where a path stops.'));

/** An end, by the identifier that steps name it by. */
export const END_ROW = named('EndRow', variants('kind', { id: TEXT, ...AT }, KINDS));

/** An end of the list `ends`. */
export type EndRow = Of<typeof END_ROW>;

/** An end and its probability. */
export const OUTCOME = named('Outcome', variants('kind', { ...AT, ...EXACT_FIELDS }, KINDS));

/** An end and its probability. */
export type OutcomeRow = Of<typeof OUTCOME>;

/** What is the same of outcomes that are grouped. */
export const CONTENT_FIELDS = {
  kind: END_KIND,
  answer: optional(described(list(TEXT), 'Sorted record data.')),
  varies: optional(described(oneOf(true), 'Servers rotate over these records: each reply has some of them.')),
  reason: TIME_LIMIT.reason,
  ...EXPECTED,
};

const SUMMARY_ROW = object({ ...EXACT_FIELDS, ...CONTENT_FIELDS });

/** Outcomes that are the same to users. */
export interface SummaryRow extends Of<typeof SUMMARY_ROW> {}

/** What one view comes to. */
export const VIEW_FIELDS = {
  outcomes: described(list(OUTCOME), 'Its ends, most probable first. They sum to 1.'),
  late: optional(
    described(object(EXACT_FIELDS), 'The share that comes only when a program asks again; absent: none.'),
  ),
};

/** The two spellings of a probability. */
export function exact(probability: Fraction): Exact {
  const fraction = lowestTerms(probability);
  return { probability: toNumber(fraction), fraction: fractionText(fraction) };
}

/** An outcome as the result lists it. */
export function outcomeRow({ end, probability }: Outcome): OutcomeRow {
  return { ...end, ...exact(probability) };
}

/**
 * Outcomes grouped by kind, and answers by their sorted set of data; most probable first. An end whose
 * cause was not examined counts as that: nobody knows that it is trouble.
 */
export function summaryOf({ outcomes }: { readonly outcomes: readonly OutcomeRow[] }): readonly SummaryRow[] {
  const groups = new Map<string, { end: End; probability: Fraction }>();
  for (const outcome of outcomes) {
    const end = unexamined(outcome) ?? outcome;
    const key = [end.kind, ...answerData(end)].join('\n');
    const known = groups.get(key)?.probability ?? ZERO;
    groups.set(key, { end, probability: add(known, readFraction(outcome.fraction)) });
  }
  return [...groups.values()]
    .sort((a, b) => compare(b.probability, a.probability))
    .map(({ end, probability }) => ({ ...exact(probability), kind: end.kind, ...besidesKind(end) }));
}

function besidesKind(end: End): Pick<SummaryRow, 'answer' | 'varies' | 'reason' | 'expected'> {
  const expected = isExpected(end) ? ({ expected: true } as const) : {};
  if (end.kind === 'answer')
    return { answer: answerData(end), ...(rotates(end) ? { varies: true } : {}), ...expected };
  if (isExpected(end)) return expected;
  return end.kind === 'time-limit' && end.reason !== undefined ? { reason: end.reason } : {};
}

/** Whether an end is expected, so that it is no trouble if others are another expected one. */
export function isExpected(end: End | SummaryRow): boolean {
  return 'expected' in end && end.expected === true;
}

/** Whether an end is an answer that servers rotate, itself or behind aliases. */
export function rotates(end: End): boolean {
  return end.kind === 'answer' && (end.varies !== undefined || end.rotatesWith !== undefined);
}
