/*
 * document: the JSON documents, their shapes, checks and readers.
 *
 * Each is described once, as a shape (`base`): the type, the check of what comes in, and the JSON schema that OpenAPI
 * shows follow from that. `result.ts` has the traversal result, from the rows of `common-shapes`, `ends`, `steps`,
 * `exchanges`, `resolvers` and `finding`; `events.ts` the events of a job, and `servers.ts` the server list.
 * `exchange-rows.ts` makes rows of exchanges, and exchanges of rows; `read-result.ts` reads a saved result back, as much
 * of it as a replay needs; `result-octets.ts` writes a result
 * in chunks, and leaves records out if it is too large; `views.ts` says where a result has each view.
 * `api/` has what only the HTTP interface sends. `words/` has the words that all texts share: names, lists,
 * quantities, and how paths end.
 */

import { described, named, type Of, type Shape } from '../base/shape.ts';
import {
  dictionary,
  type Fields,
  fieldsNamed,
  type Optional,
  object,
  optional,
  partial,
  variants,
} from '../base/shape-object.ts';
import { BOOLEAN, COUNT, choice, list, matching, nullable, oneOf, TEXT, TIME } from '../base/shape-values.ts';
import { VIEWS, type ViewName } from '../evaluate/views.ts';
import type { ExplorationEnding } from '../explore/explore.ts';
import type { WhyUnasked } from '../explore/recording.ts';
import {
  ADDRESS,
  EXACT_FIELDS,
  FRACTION,
  MILLISECONDS,
  NAME,
  PROBABILITY,
  QUERY,
  QUESTION,
} from './common-shapes.ts';
import {
  BLOCKED,
  CONTENT_FIELDS,
  END_KIND,
  END_ROW,
  LIMIT,
  OUTCOME,
  QUERY_LIMIT,
  TIME_LIMIT,
  VIEW_FIELDS,
} from './ends.ts';
import { EXCHANGE_CLASS, EXCHANGES, PROBE, SERVER } from './exchanges.ts';
import { FINDING, SEVERITY } from './finding.ts';
import { OPTIONS } from './options.ts';
import { PLANNED_DS, ZONE_FILES } from './planned.ts';
import { RESOLVER } from './resolvers.ts';

import { DELEGATION, DELEGATION_FIELDS, LOOKUP, STEP } from './steps.ts';

const SERVERS = list(described(TEXT, "A server's name, or an address."));

/** Delegations that are planned. */
export const PLANNED = described(
  list(object(DELEGATION_FIELDS)),
  'Delegations as parents are going to have them. The exchanges are those of that world.',
);

/** What is different in an imagined world. */
const WHAT_IF = named(
  'WhatIf',
  object({
    down: described(SERVERS, 'What does not reply.'),
    without: described(SERVERS, 'What is taken out of every delegation.'),
    delegate: PLANNED,
    zone: ZONE_FILES,
    ds: PLANNED_DS,
    only: described(SERVERS, 'What alone is left of every delegation that has any of it.'),
  }),
);

/** What is different in an imagined world, as a result lists it. */
export type WhatIfRow = Of<typeof WHAT_IF>;

/** The version of the result document; raised on a breaking change. */
export const SCHEMA = 3;

/** What a result says about the traversal apart from its exchanges. */
export const CIRCUMSTANCES = {
  options: OPTIONS,
  startedAt: TIME,
  finishedAt: TIME,
  durationMs: MILLISECONDS,
  ending: described(
    choice<ExplorationEnding>({
      whole: true,
      'query-limit': true,
      'time-limit': true,
      cancelled: true,
    }),
    'How asking ended.',
  ),
  silentFamily: optional(
    described(
      oneOf(4, 6),
      'The address family over which no server replied, and that was left out therefore; absent: none.',
    ),
  ),
};

const CIRCUMSTANCES_ONLY = object(CIRCUMSTANCES);

/** What a result says about the traversal apart from its exchanges. */
export type Circumstances = Of<typeof CIRCUMSTANCES_ONLY>;

/** What belongs to each reason for not asking. */
const WHY_UNASKED = {
  'query-limit': QUERY_LIMIT,
  'time-limit': TIME_LIMIT,
  'work-limit': LIMIT,
  blocked: BLOCKED,
} satisfies Readonly<Record<WhyUnasked['kind'], Fields>>;

/** What a replay needs of a question that was not asked. */
export const UNASKED_QUESTION = variants(
  'kind',
  { server: object({ address: ADDRESS }), question: QUESTION },
  WHY_UNASKED,
);

const UNASKED = named(
  'Unasked',
  described(
    variants('kind', { server: SERVER, question: QUESTION }, WHY_UNASKED),
    'A question that a limit, or a deny list, left unasked or kept from counting. A complete result lists none of a limit.',
  ),
);

/** A row of the list `unasked`. */
export type UnaskedRow = Of<typeof UNASKED>;

const FIGURES = named(
  'Figures',
  object({
    exchanges: described(COUNT, 'Distinct (address, name, type).'),
    sharedExchanges: optional(described(COUNT, 'For how many of them nothing was sent; absent: for none.')),
    warmExchanges: optional(
      described(COUNT, 'The number made only for the warm walk; absent without a warm walk.'),
    ),
    dnssecExchanges: optional(
      described(COUNT, 'The number made only to validate replies; absent if replies were not validated.'),
    ),
    minimiseExchanges: optional(
      described(COUNT, 'The number made only for minimised names; absent without profiles.'),
    ),
    checkExchanges: described(COUNT, 'The number made only for the option `check`.'),
    unused: described(
      COUNT,
      'How many exchanges were made in vain: a limit came to leave their questions out.',
    ),
    packetsSent: described(COUNT, 'Those of probes included, like octets.'),
    packetsReceived: COUNT,
    bytesSent: COUNT,
    bytesReceived: COUNT,
    timeouts: described(COUNT, 'Tries of exchanges without a reply.'),
    servers: described(COUNT, 'Distinct addresses asked.'),
    zones: COUNT,
    paths: described(
      matching(/^[0-9]+$/, 'a number in decimal'),
      'Number of distinct paths, in decimal, because it can be astronomically large.',
    ),
  }),
);

/** What was counted. */
export type Figures = Of<typeof FIGURES>;

/** A view that a result lacks, and why. */
export const NOT_CHECKED = named(
  'NotChecked',
  object({
    view: described(
      oneOf('warm', 'validating', 'profiles', 'rotation', 'ipv4', 'ipv6', 'audit'),
      '`audit`: the questions and probes of the option `check`.',
    ),
    only: optional(
      described(list(TEXT), 'The names of those that are left out, such as "bind/warm"; absent: all.'),
    ),
    reason: described(TEXT, 'Why it was left out, such as "--quick".'),
  }),
);

/** A view that a result lacks, and why. */
export type NotChecked = Of<typeof NOT_CHECKED>;

const LATENCY = object({ best: MILLISECONDS, mean: MILLISECONDS, worst: MILLISECONDS });

const VIEW = named(
  'View',
  object({
    ...VIEW_FIELDS,
    asking: optional(
      described(
        object(VIEW_FIELDS),
        'For programs that ask for validation, where a product validates for these alone and they get something else.',
      ),
    ),
    deviations: optional(
      described(
        list(object({ text: described(TEXT, 'A sentence that says how.'), zones: list(NAME) })),
        'Zones at which a product may do otherwise than its profile, by the replies of their servers; absent: none that is known.',
      ),
    ),
  }),
);

/** The views that every result has. */
const ALWAYS = ['first-tries', 'resolver'] as const;

type Always = (typeof ALWAYS)[number];

/** By its name, so that declarations hold it once rather than for each name of a view. */
export interface View extends Of<typeof VIEW> {}

/** The views of a result by their names, in the order of the table. */
type ViewFields = { readonly [N in ViewName]: N extends Always ? Shape<View> : Optional<View> };

const VIEWS_BY_NAME = named(
  'Views',
  described(
    object(
      fieldsNamed<ViewFields>(
        VIEWS.map(({ name }) => name),
        (name) => (ALWAYS.some((one) => one === name) ? VIEW : optional(VIEW)),
      ),
    ),
    'The views by name: of first tries, abstract resolvers and products. Views that were not made are absent, and warm views of products where the own NS sets have the servers of the delegations.',
  ),
);

/** The views of a result by their names. */
export type ViewsByName = Of<typeof VIEWS_BY_NAME>;

const STICKY = named(
  'StickyStep',
  object({
    step: described(TEXT, 'The identifier of a step where servers lead to different ends.'),
    rows: list(
      object({
        server: NAME,
        address: ADDRESS,
        rttMs: optional(described(MILLISECONDS, 'From here; absent: it did not reply.')),
        outcomes: described(list(OUTCOME), 'Of resolvers that try this address first there.'),
      }),
    ),
    fastestHere: described(nullable(COUNT), 'The index of the row that replied first; null if none did.'),
  }),
);

/** A step at which it matters which server a busy resolver stays with. */
export type StickyRow = Of<typeof STICKY>;

/** What users get, in one word. */
export type VerdictStatus = 'ok' | 'slow' | 'differs' | 'partial' | 'broken' | 'unknown';

/** What a result comes to. */
export const VERDICT = named(
  'Verdict',
  object({
    status: described(
      choice<VerdictStatus>({
        ok: true,
        slow: true,
        differs: true,
        partial: true,
        broken: true,
        unknown: true,
      }),
      'What users get, in one word.',
    ),
    text: described(TEXT, 'Which share of users gets which answer, in a sentence.'),
    severity: described(SEVERITY, 'Of the worst finding, or of the status itself, if that is worse.'),
    exitStatus: described(oneOf(0, 1, 3), 'The exit status of `svc traverse` for the result.'),
  }),
);

/** The verdict on a result. */
export type VerdictRow = Of<typeof VERDICT>;

const SERVED_BY = named('ServedBy', object({ name: NAME, addresses: list(ADDRESS) }));

/** A server, and those of its addresses that something comes from. */
export type ServedBy = Of<typeof SERVED_BY>;

/** What some users get, and how many. */
export const USERS = named(
  'Users',
  object({
    ...CONTENT_FIELDS,
    share: object({
      fraction: described(
        FRACTION,
        'Of the validating view; of the resolver view where replies were not validated.',
      ),
      least: described(
        PROBABILITY,
        'Of `fraction` and the shares in `profiles`; and of what is likely where replies of one address differ (`seen`).',
      ),
      most: PROBABILITY,
    }),
    profiles: described(
      dictionary(FRACTION),
      'The share of each product that the option `profiles` names, cold.',
    ),
    others: optional(
      described(
        dictionary(FRACTION),
        'The share in further views in which users get something else: "resolver" beside a validating one, "warm", those of warm products, and "powerdns/asking" of programs that ask for validation.',
      ),
    ),
    from: described(list(SERVED_BY), 'The servers that it comes from.'),
  }),
);

/** What some users get, and how many. */
export type UsersRow = Of<typeof USERS>;

const FIRST_TRY = named('FirstTry', object({ kind: END_KIND, ...EXACT_FIELDS, from: list(SERVED_BY) }));

/** First tries that fail. */
export type FirstTryRow = Of<typeof FIRST_TRY>;

const ZONE = named(
  'ZoneOnWay',
  object({
    zone: NAME,
    question: optional(described(QUESTION, 'Asked there; absent: that of the result.')),
    remark: optional(described(TEXT, 'Who delegates the zone so, where others delegate it differently.')),
    share: optional(described(FRACTION, 'Of the paths that come here; absent: all.')),
    servers: list(
      object({
        name: NAME,
        address: optional(described(ADDRESS, 'Absent: none was found.')),
        rttMs: optional(described(MILLISECONDS, 'Absent: it did not reply.')),
        elapsedMs: optional(described(MILLISECONDS, 'With all tries; absent: there was one, or none.')),
        reply: optional(described(EXCHANGE_CLASS, 'Absent: it was not asked.')),
        planned: optional(described(oneOf(true), 'The reply is planned.')),
        answer: optional(described(list(TEXT), 'The sorted data of an answer.')),
        text: optional(described(TEXT, 'The reply in words; absent where `answer` says all.')),
        notes: optional(described(list(TEXT), 'How the reply was obtained, such as "over TCP".')),
        effect: optional(
          described(
            oneOf('differs', 'denies', 'fails', 'unknown'),
            'What the reply means to users; absent: nothing is wrong with it.',
          ),
        ),
        security: optional(
          described(oneOf('secure', 'insecure', 'bogus', 'unknown'), 'Of the reply, as validated.'),
        ),
        share: described(FRACTION, 'Of the picks at this step.'),
      }),
    ),
  }),
);

/** A zone on the way to the answer. */
export type ZoneRow = Of<typeof ZONE>;

/** The members of a result; the last, from `ends` on, are its evidence. */
const RESULT_FIELDS = {
  schema: oneOf(SCHEMA),
  query: QUERY,
  verdict: VERDICT,
  users: described(
    list(USERS),
    'What users get who ask a resolver with an empty cache, equal contents summed, most of them first; empty if others answered in the place of the servers, or nobody did.',
  ),
  firstTries: described(list(FIRST_TRY), 'The first tries that fail, and where.'),
  ...CIRCUMSTANCES,
  complete: described(
    BOOLEAN,
    'False if a limit ends a path of a view, or caused its end, or the traversal was cancelled.',
  ),
  views: VIEWS_BY_NAME,
  notChecked: optional(
    described(list(NOT_CHECKED), 'The views that are left out, and why; absent if none is.'),
  ),
  expected: optional(described(list(TEXT), 'The items of the option `expect`, where it is given.')),
  ignored: optional(
    described(
      dictionary(COUNT),
      'The number of findings that the option `ignore` left out, by code; absent if none.',
    ),
  ),
  whatIf: optional(
    described(WHAT_IF, 'What is imagined: views, steps, paths and latency are those of that world.'),
  ),
  recorded: optional(
    described(
      object({ views: VIEWS_BY_NAME, users: list(USERS) }),
      'With `whatIf`: the views and users of the world that was recorded.',
    ),
  ),
  coldLatencyMs: LATENCY,
  zones: described(
    list(ZONE),
    'The zones on the way to the answer, and what each of their servers replied there.',
  ),
  resolvers: optional(
    described(list(RESOLVER), 'The resolvers that were asked the same question, if any were named.'),
  ),
  findings: described(
    list(FINDING),
    'Causes, each followed by its consequences; the group with the worst finding comes first.',
  ),
  figures: FIGURES,
  ends: described(
    list(END_ROW),
    'Every end of the path view, and every end that a step or a lookup leads to, each once. If a limit allowed no step at all, that limit.',
  ),
  delegations: list(DELEGATION),
  steps: described(list(STEP), 'Each after all that lead to it. The first is where the main walk begins.'),
  lookups: described(list(LOOKUP), 'How the addresses of name servers without glue are looked up.'),
  exchanges: EXCHANGES,
  unasked: list(UNASKED),
  sticky: optional(
    described(list(STICKY), 'Where it matters which server a busy resolver stays with; absent: nowhere.'),
  ),
  probes: optional(
    described(list(PROBE), 'With the option `check`: what was tried besides, as evidence of findings alone.'),
  ),
};

/** The traversal result with its evidence. */
export const RESULT = named('FullResult', object(RESULT_FIELDS));

const { ends, sticky, delegations, steps, lookups, exchanges, probes, unasked, ...BRIEF } = RESULT_FIELDS;
const BRIEF_ONLY = object(BRIEF);

/** A result as it is printed and sent unless somebody asks for its evidence. */
export interface BriefResult extends Of<typeof BRIEF_ONLY> {}

/** The traversal result as the service sends it, with or without its evidence. */
export const SENT_RESULT = named(
  'Result',
  described(
    object({
      ...BRIEF,
      ...partial({ ends, delegations, steps, lookups, exchanges, unasked }),
      sticky,
      probes,
    }),
    'The evidence, from `ends` on, comes only with `full`.',
  ),
);

/** The traversal result (svc-api(5), RESULT). An interface has a name in other types, where its members would be too many. */
export interface TraversalResult extends Of<typeof RESULT> {}

/** A result before it is judged. */
export interface UnjudgedResult extends Omit<TraversalResult, 'verdict' | 'users' | 'firstTries' | 'zones'> {}
