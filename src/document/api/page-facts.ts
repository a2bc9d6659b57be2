import { OPTION_FIELDS } from '../../options.ts';
import { list } from '../../shape/list.ts';
import { object, optional } from '../../shape/object.ts';
import type { Of } from '../../shape/shape.ts';
import { oneOf, TEXT } from '../../shape/values.ts';

const { trustAnchors: _, ...USUAL } = OPTION_FIELDS;

/** What a service tells its page of itself, in the page's head. */
export const PAGE_FACTS = object({
  /** What applies to a traversal unless its request says otherwise. */
  usual: object(USUAL),
  /** The names worth asking for, if what the service asks is the simulated internet. */
  demo: optional(
    list(object({ name: TEXT, type: TEXT, line: TEXT, option: optional(oneOf('--check', '--dnssec')) })),
  ),
});

/** What a service tells its page of itself. */
export type PageFacts = Of<typeof PAGE_FACTS>;
