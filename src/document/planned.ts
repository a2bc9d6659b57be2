/* Describes what is planned beside delegations: zone files and DS records. */

import { ZONE_FAULT_CODES } from '../authority/zone-fault.ts';
import { described } from '../base/shape.ts';
import { object, optional } from '../base/shape-object.ts';
import { COUNT, list, oneOf, TEXT } from '../base/shape-values.ts';
import { NAME } from './common-shapes.ts';

/** A fault of a zone file. */
const FAULT = object({
  code: described(oneOf(...ZONE_FAULT_CODES), 'The code of its finding.'),
  name: described(NAME, 'The owner of the record that shows it.'),
  type: described(TEXT, 'The type of that record.'),
  line: described(COUNT, 'Its line, counted from 1.'),
  file: optional(described(TEXT, 'The file that has the line, if the zone file includes it.')),
  detail: optional(TEXT),
  more: optional(described(COUNT, 'How many more there are of this kind, on the last that is listed.')),
});

/** Zones that servers are going to have from files. */
export const ZONE_FILES = optional(
  described(
    list(object({ zone: NAME, file: described(TEXT, 'As it was named.'), faults: list(FAULT) })),
    'Zones as files have them. Exchanges with `planned` are replies made of them.',
  ),
);

/** DS records that parents are going to have. */
export const PLANNED_DS = optional(
  described(
    list(
      object({ zone: NAME, ds: described(list(TEXT), 'In zone-file presentation format; none: insecure.') }),
    ),
    'DS records as parents are going to have them.',
  ),
);
