import { list } from '../shape/list.ts';
import { object } from '../shape/object.ts';
import { described, named } from '../shape/schema.ts';
import type { Of } from '../shape/shape.ts';
import { TEXT } from '../shape/values.ts';
import { DELEGATION_FIELDS } from './steps.ts';

const SERVERS = list(described(TEXT, "A server's name, or an address."));

/** Delegations that are planned. */
export const PLANNED = described(
  list(object(DELEGATION_FIELDS)),
  'Delegations as parents are going to have them. The exchanges are those of that world.',
);

/** What is different in an imagined world. */
export const WHAT_IF = named(
  'WhatIf',
  object({
    down: described(SERVERS, 'What does not reply.'),
    without: described(SERVERS, 'What is taken out of every delegation.'),
    delegate: PLANNED,
    only: described(SERVERS, 'What alone is left of every delegation that has any of it.'),
  }),
);

/** What is different in an imagined world, as a result lists it. */
export type WhatIfRow = Of<typeof WHAT_IF>;
