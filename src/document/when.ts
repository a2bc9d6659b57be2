/* The document of svc when: how long old answers live after a change (svc-api(5), UNTIL WHEN). */

import { annotated, described, named, type Of } from '../base/shape.ts';
import { object, optional } from '../base/shape-object.ts';
import { COUNT, choice, list, NUMBER, nullable, TEXT, TIME } from '../base/shape-values.ts';
import { PROFILES, type ProfileName } from '../explore/profiles/profiles.ts';
import { MILLISECONDS, NAME, QUERY, QUESTION } from './common-shapes.ts';
import { OUTCOME } from './ends.ts';
import { NOT_CHECKED } from './result.ts';

/** The data and denials of which resolvers hold copies. */
const COPY_KINDS = {
  data: true,
  denial: true,
  parent: true,
  own: true,
  address: true,
  keys: true,
  ds: true,
  'no-ds': true,
};

/** A kind of copy. */
export type CopyKind = keyof typeof COPY_KINDS;

const COPY = named(
  'HeldCopy',
  described(
    object({
      kind: described(
        choice<CopyKind>(COPY_KINDS),
        'The data asked for, or the denial of a name; the NS records of a zone at its parent, or its own; an address of a name server; DNSKEY records, DS records, or the denial of DS records.',
      ),
      rrset: QUESTION,
      ttl: described(COUNT, 'The longest of the TTLs, as the profile cuts or extends them, in seconds.'),
      ttls: described(
        list(object({ ttl: COUNT, servers: described(list(TEXT), 'Such as "ns1.example.com 192.0.2.1".') })),
        'The TTLs that servers give, the longest first.',
      ),
    }),
    'A copy that has to expire.',
  ),
);

/** A copy that has to expire. */
export type CopyRow = Of<typeof COPY>;

const PROFILE_NAME = choice<ProfileName>(PROFILES);

const WHY = described(
  list(COPY),
  'The copies that have to expire, one after another: the longest time is the sum of their TTLs, with a second more for each.',
);

const LEAD = named(
  'LeadTime',
  object({
    change: described(
      choice<LeadChange>({
        data: true,
        'new-name': true,
        nameservers: true,
        address: true,
        keys: true,
        ds: true,
      }),
      'The kind of change: an RRset is changed or removed; a name that does not exist is added; a zone moves to other name servers; a name server gets another address; the keys of a zone change; its DS records change.',
    ),
    rrset: described(QUESTION, 'The RRset that is changed; for a new name, the SOA record of its zone.'),
    profiles: list(
      object({
        name: PROFILE_NAME,
        lastMs: described(
          nullable(MILLISECONDS),
          'The time until the last user sees the change; null: never while the old servers answer.',
        ),
        halfMs: described(
          nullable(MILLISECONDS),
          'The time until half of the users see the change; null: as `lastMs`.',
        ),
        why: WHY,
      }),
    ),
    steps: optional(
      described(
        list(
          object({
            action: TEXT,
            waitMs: described(MILLISECONDS, 'The time to wait before the next step.'),
            why: WHY,
          }),
        ),
        'The steps of the change in the right order, if it takes several.',
      ),
    ),
  }),
);

/** A kind of change. */
export type LeadChange = 'data' | 'new-name' | 'nameservers' | 'address' | 'keys' | 'ds';

/** How long one kind of change takes. */
export type LeadRow = Of<typeof LEAD>;

const POINT = object({ at: TIME, share: annotated(NUMBER, { maximum: 1 }) });

const CHANGE = named(
  'OldEnd',
  described(
    object({
      before: described(OUTCOME, 'The end that users got, with its probability for cold resolvers.'),
      after: described(list(OUTCOME), 'The ends that users get instead.'),
      profiles: list(
        object({
          name: PROFILE_NAME,
          lastAt: described(
            nullable(TIME),
            'The last moment at which a user gets the old end; null: it may stay as long as the old servers answer.',
          ),
          points: described(
            list(POINT),
            'The share of all users of the product who still get the old end, over time.',
          ),
          why: WHY,
        }),
      ),
    }),
    'An end that the change replaces.',
  ),
);

/** An old end. */
export type ChangeRow = Of<typeof CHANGE>;

const DANGER = named(
  'Danger',
  object({
    kind: described(
      choice<DangerKind>({ 'old-servers': true, 'old-names': true, validation: true, failure: true }),
      'Resolvers still query old servers; resolvers still look up the addresses of old servers; users of validating resolvers, or all users, get SERVFAIL.',
    ),
    zone: NAME,
    from: TIME,
    until: described(nullable(TIME), 'Null: for good, until the zone is repaired.'),
    failing: optional(
      described(
        list(object({ name: PROFILE_NAME, lastAt: TIME })),
        'Until when users of each product can get SERVFAIL, of old servers: if these stop.',
      ),
    ),
    message: TEXT,
  }),
);

/** A kind of danger. */
export type DangerKind = 'old-servers' | 'old-names' | 'validation' | 'failure';

/** A danger of a change: it harms users until a moment. */
export type DangerRow = Of<typeof DANGER>;

const NOTICE = named(
  'TimesNotice',
  object({
    kind: described(
      choice<NoticeKind>({ 'ttls-differ': true, slow: true, unknown: true }),
      'Servers give different TTLs; a long TTL slows a change without benefit; a time is unknown.',
    ),
    message: TEXT,
  }),
);

/** A kind of notice. */
type NoticeKind = 'ttls-differ' | 'slow' | 'unknown';

/** A remark on the times of a change. */
export type NoticeRow = Of<typeof NOTICE>;

/** The times of a change. */
export const WHEN = named(
  'Times',
  object({
    query: QUERY,
    at: described(TIME, 'The moment of the change.'),
    lead: described(list(LEAD), 'How long each kind of change would take.'),
    changes: optional(
      described(list(CHANGE), 'With an earlier result or a plan: the ends that the change replaces.'),
    ),
    dangers: optional(
      described(
        list(DANGER),
        'With an earlier result or a plan: what harms users, first what harms them for good, then the soonest over.',
      ),
    ),
    notices: list(NOTICE),
    notChecked: optional(
      described(
        list(NOT_CHECKED),
        'The views that the traversals left out, and why, so that the times lack what these would show; absent if none is.',
      ),
    ),
  }),
);

/** The times of a change. */
export interface Times extends Of<typeof WHEN> {}
