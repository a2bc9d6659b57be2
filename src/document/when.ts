/* The shape of the times of a change: how long old answers live (svc-api(5), UNTIL WHEN). */

import type { ProfileName } from '../base/profile-names.ts';
import { annotated, described, named, type Of } from '../base/shape.ts';
import { object, optional } from '../base/shape-object.ts';
import { COUNT, choice, list, NUMBER, nullable, TEXT, TIME } from '../base/shape-values.ts';
import { PROFILES } from '../explore/profiles/profiles.ts';
import { MILLISECONDS, NAME, QUERY, QUESTION } from './common-shapes.ts';
import { OUTCOME } from './ends.ts';

/** What resolvers can hold a copy of. */
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

/** What resolvers can hold a copy of. */
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
      ttl: described(COUNT, 'The longest TTL that resolvers of the profile use, in seconds.'),
      ttls: described(
        list(object({ ttl: COUNT, servers: described(list(TEXT), 'Such as "ns1.example.com 192.0.2.1".') })),
        'The TTLs that servers give, the longest first.',
      ),
    }),
    'A copy whose TTL counts.',
  ),
);

/** A copy whose TTL counts. */
export type CopyRow = Of<typeof COPY>;

const PROFILE_NAME = choice<ProfileName>(PROFILES);

const WHY = described(
  list(COPY),
  'The copies that are waited for, one after another: their TTLs, and a second more for each, are the longest time.',
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
      'What is changed: an RRset, or its removal; a name added that does not exist; the name servers of a zone; an address of a name server; the keys of a zone; its DS records.',
    ),
    rrset: described(QUESTION, 'The RRset that is changed; of a new name the SOA record of its zone.'),
    profiles: list(
      object({
        name: PROFILE_NAME,
        lastMs: described(
          nullable(MILLISECONDS),
          'After so long the last user sees the change; null: not while the old servers answer.',
        ),
        halfMs: described(nullable(MILLISECONDS), 'After so long half of the users see it; null: the same.'),
        why: WHY,
      }),
    ),
    steps: optional(
      described(
        list(
          object({ action: TEXT, waitMs: described(MILLISECONDS, 'The time to wait before the next step.') }),
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
      before: described(OUTCOME, 'What users got; of cold resolvers with this probability.'),
      after: described(list(OUTCOME), 'What they get instead.'),
      profiles: list(
        object({
          name: PROFILE_NAME,
          lastAt: described(
            nullable(TIME),
            'The last moment at which a user gets the old end; null: not while the old servers answer.',
          ),
          points: described(list(POINT), 'The share of all users of the product who still get it.'),
          why: WHY,
        }),
      ),
    }),
    'An end that users got before the change and will not get after it.',
  ),
);

/** An old end. */
export type ChangeRow = Of<typeof CHANGE>;

const DANGER = named(
  'Danger',
  object({
    kind: described(
      choice<DangerKind>({ 'old-servers': true, 'old-names': true, validation: true }),
      'The old servers have to go on; the old names of servers have to; users of validating resolvers get SERVFAIL.',
    ),
    zone: NAME,
    from: TIME,
    until: described(nullable(TIME), 'Null: until the records are repaired.'),
    message: TEXT,
  }),
);

/** What can go wrong in a change. */
export type DangerKind = 'old-servers' | 'old-names' | 'validation';

/** A step that users suffer from unless it is taken with care. */
export type DangerRow = Of<typeof DANGER>;

const NOTICE = named(
  'TimesNotice',
  object({
    kind: described(
      choice<NoticeKind>({ 'ttls-differ': true, slow: true, unknown: true }),
      'Servers give different TTLs; a TTL makes a change slow; a time cannot be told.',
    ),
    message: TEXT,
  }),
);

/** What a notice is about. */
export type NoticeKind = 'ttls-differ' | 'slow' | 'unknown';

/** What else the times of a change tell. */
export type NoticeRow = Of<typeof NOTICE>;

/** The times of a change. */
export const WHEN = named(
  'Times',
  object({
    query: QUERY,
    at: described(TIME, 'When the change is taken to be made.'),
    lead: described(list(LEAD), 'How long each kind of change would take.'),
    changes: optional(described(list(CHANGE), 'With an earlier result or a plan: the ends that change.')),
    dangers: optional(described(list(DANGER), 'The same: what can go wrong, the earliest first.')),
    notices: list(NOTICE),
  }),
);

/** The times of a change. */
export interface Times extends Of<typeof WHEN> {}
