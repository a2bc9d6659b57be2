import { list } from '../../shape/list.ts';
import { object, optional } from '../../shape/object.ts';
import { described, named } from '../../shape/schema.ts';
import type { Of } from '../../shape/shape.ts';
import { integer, oneOf, TEXT } from '../../shape/values.ts';

/** What is wrong with the members of a request. */
export const PROBLEM_ERRORS = list(
  object({ pointer: described(TEXT, 'JSON pointer (RFC 6901).'), detail: TEXT }),
);

/** A problem document (RFC 9457 3). "about:blank": the status code says what kind of problem it is. */
export const PROBLEM = named(
  'Problem',
  described(
    object({
      type: oneOf('about:blank'),
      title: TEXT,
      status: integer(400, 599),
      detail: described(TEXT, 'For people.'),
      errors: optional(PROBLEM_ERRORS),
    }),
    'RFC 9457.',
  ),
);

/** A problem document. */
export type Problem = Of<typeof PROBLEM>;
