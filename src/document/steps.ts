/* The shape of the steps and lookups of walks in a result. */

import { described, named, type Of } from '../base/shape.ts';
import { alternatives, object, optional } from '../base/shape-object.ts';
import { choice, list, oneOf, TEXT } from '../base/shape-values.ts';
import type { StepServer } from '../evaluate/step.ts';
import { ADDRESS, FRACTION, NAME, PASSES_FIELDS, QUESTION, SHARE_FIELDS } from './common-shapes.ts';
import { EXCHANGE_CLASS } from './exchanges.ts';

/** A delegation: its zone, and its name servers with their glue. */
export const DELEGATION_FIELDS = {
  zone: NAME,
  nameservers: list(object({ name: NAME, glue: list(ADDRESS) })),
};

/** A delegation that some path meets; its name servers are sorted by name. */
export const DELEGATION = named('Delegation', object({ id: TEXT, ...DELEGATION_FIELDS }));

/** A row of the list `delegations`. */
export type DelegationRow = Of<typeof DELEGATION>;

/** Another step, or an end, each by its identifier. */
const ONWARD = { step: TEXT, end: TEXT };

const LEADS_TO = named(
  'LeadsTo',
  described(alternatives({}, ONWARD), 'Another step, or an end, by its identifier.'),
);

/** Where something leads: to another step, or to an end, each by its identifier. */
export type LeadsTo = Of<typeof LEADS_TO>;

const ADDRESS_ROW = named(
  'Address',
  described(
    object({
      address: ADDRESS,
      ...SHARE_FIELDS,
      exchange: optional(TEXT),
      class: optional(EXCHANGE_CLASS),
      leadsTo: LEADS_TO,
    }),
    'An address of a name server: its share of the step, what it replied and where that leads.',
  ),
);

/** An address of a name server at a step. */
export type AddressRow = Of<typeof ADDRESS_ROW>;

const NAMESERVER = named(
  'Nameserver',
  described(
    object({
      name: NAME,
      ...SHARE_FIELDS,
      source: described(
        choice<Exclude<StepServer['kind'], 'not-looked-up'> | 'none'>({
          glue: true,
          lookup: true,
          none: true,
        }),
        'Where its addresses come from.',
      ),
      lookup: optional(described(TEXT, 'How its addresses are looked up, by identifier.')),
      addresses: list(ADDRESS_ROW),
      end: optional(described(TEXT, 'Why it has no address and is not looked up, by identifier.')),
    }),
    'A name server at a step: its share, where its addresses come from, and what they lead to.',
  ),
);

/** A name server at a step. */
export type NameserverRow = Of<typeof NAMESERVER>;

/** One step of the graph. */
export const STEP = named(
  'Step',
  described(
    object({
      id: TEXT,
      question: QUESTION,
      zone: NAME,
      delegation: TEXT,
      ...PASSES_FIELDS,
      nameservers: list(NAMESERVER),
    }),
    'A step of the graph. `probability` is how often a path passes through it on average, which inside lookups can be more than once.',
  ),
);

/** A row of the list `steps`. */
export type StepRow = Of<typeof STEP>;

/** The lookup of a name server's addresses. */
export const LOOKUP = named(
  'Lookup',
  described(
    object({
      id: TEXT,
      name: NAME,
      begins: described(
        list(alternatives({ type: oneOf('A', 'AAAA') }, ONWARD)),
        'Where the lookup of each type begins.',
      ),
      failures: described(
        list(object({ fraction: FRACTION, end: TEXT })),
        'The ends that leave it without an address, each with its share of these lookups.',
      ),
    }),
    "The lookup of a name server's addresses. Without an address, a path stops at the step that needs it, and the end here is the cause.",
  ),
);

/** A row of the list `lookups`. */
export type LookupRow = Of<typeof LOOKUP>;
