import { list } from '../shape/list.ts';
import { alternatives, object } from '../shape/object.ts';
import { described, named } from '../shape/schema.ts';
import type { Of } from '../shape/shape.ts';
import { oneOf, TEXT } from '../shape/values.ts';
import { NAME } from './dns.ts';
import { FRACTION } from './measures.ts';
import { ONWARD } from './steps.ts';

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
