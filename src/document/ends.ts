import type { End, EndKind } from '../evaluate/end.ts';
import type { LameReason } from '../explore/meaning.ts';
import { list, nullable } from '../shape/list.ts';
import { type Fields, object, optional, variants } from '../shape/object.ts';
import { described, later, named } from '../shape/schema.ts';
import type { NamedShape, Of } from '../shape/shape.ts';
import { BOOLEAN, COUNT, choice, oneOf, TEXT } from '../shape/values.ts';
import { BOGUS_REASONS } from '../validate/bogus-reason.ts';
import { ADDRESS, NAME, QUESTION, RECORDS } from './dns.ts';
import { EXACT_FIELDS } from './measures.ts';

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

/** What belongs to each kind of end. */
const KINDS = {
  answer: {
    records: described(RECORDS, 'Of the type asked.'),
    aliases: described(list(NAME), 'Owners of the aliases followed within the reply.'),
    authoritative: BOOLEAN,
    ...SECURED,
  },
  nodata: SECURED,
  nxdomain: SECURED,
  error: { rcode: TEXT },
  lame: {
    reason: choice<LameReason>({ upward: true, self: true, sideways: true, empty: true }),
    referredTo: optional(described(NAME, 'The zone of the NS records.')),
  },
  malformed: NOTHING,
  unreachable: NOTHING,
  timeout: NOTHING,
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
  pending: NOTHING,
} satisfies Readonly<Record<EndKind, Fields>>;

/** The kind of an end. */
const END_KIND = named('EndKind', choice<EndKind>(KINDS));

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

/** Outcomes grouped by kind; answers by their sorted set of data. */
export const SUMMARY_ROW = named(
  'SummaryRow',
  described(
    object({
      ...EXACT_FIELDS,
      kind: END_KIND,
      answer: optional(described(list(TEXT), 'Sorted record data.')),
      reason: TIME_LIMIT.reason,
    }),
    'Outcomes grouped by kind, and answers by their set of data. An end caused by a limit counts as that limit.',
  ),
);

/** One group of outcomes. */
export type SummaryRow = Of<typeof SUMMARY_ROW>;

/** The outcomes of one view, such as the resolver view. */
export const VIEW_FIELDS = { outcomes: list(OUTCOME), summary: list(SUMMARY_ROW) };

/** The outcomes of one view, as an object of their own. */
export const VIEW = named('View', object(VIEW_FIELDS));
