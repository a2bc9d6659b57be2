import type { StepServer } from '../evaluate/step.ts';
import { list } from '../shape/list.ts';
import { alternatives, object, optional } from '../shape/object.ts';
import { described, named } from '../shape/schema.ts';
import type { Of } from '../shape/shape.ts';
import { choice, TEXT } from '../shape/values.ts';
import { ADDRESS, NAME, QUESTION } from './dns.ts';
import { EXCHANGE_CLASS } from './exchanges.ts';
import { PASSES_FIELDS, SHARE_FIELDS } from './measures.ts';

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
export const ONWARD = { step: TEXT, end: TEXT };

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
