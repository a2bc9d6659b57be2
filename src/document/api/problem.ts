import { list } from '../../shape/list.ts';
import { object, optional } from '../../shape/object.ts';
import { described, named } from '../../shape/schema.ts';
import type { Of } from '../../shape/shape.ts';
import { integer, oneOf, TEXT } from '../../shape/values.ts';

/** The invalid members of a request. */
export const PROBLEM_ERRORS = list(
  object({ pointer: described(TEXT, 'JSON pointer (RFC 6901).'), detail: TEXT }),
);

/** A problem document (RFC 9457 3). Of type "about:blank": the status code says what kind of problem it is. */
export const PROBLEM = named(
  'Problem',
  described(
    object({
      type: oneOf('about:blank'),
      title: TEXT,
      status: integer(400, 599),
      detail: described(TEXT, 'For people to read.'),
      errors: optional(PROBLEM_ERRORS),
    }),
    'A problem document (RFC 9457).',
  ),
);

/** A problem document. */
export type Problem = Of<typeof PROBLEM>;
