/* Health report, problem documents, and what a service tells its page. */

import { described, named, type Of } from '../../base/shape.ts';
import { object, optional } from '../../base/shape-object.ts';
import { BOOLEAN, COUNT, integer, list, nullable, oneOf, TEXT } from '../../base/shape-values.ts';
import { MILLISECONDS } from '../common-shapes.ts';
import { OPTION_FIELDS } from '../options.ts';

const COUNTS = object({
  queued: COUNT,
  running: COUNT,
  retained: described(COUNT, 'Jobs that have ended and are kept.'),
});

/** Numbers of jobs by state. */
export type JobCounts = Of<typeof COUNTS>;

const REASON = oneOf('unreachable', 'refused', 'read-only', 'out-of-memory', 'disk', 'busy', 'other');

/** Why jobs cannot be kept where they should be. */
export type DegradedReason = Of<typeof REASON>;

/** The health report of a service. */
export const HEALTH = named(
  'Health',
  object({
    status: described(oneOf('ok', 'degraded'), '`degraded`: jobs cannot be kept where they should be.'),
    reason: optional(
      described(
        REASON,
        'While `degraded`: why. The store is `unreachable`, or it `refused` this service, is `read-only`, `out-of-memory` or `busy`; the `disk` of the store or the directory cannot be written to.',
      ),
    ),
    region: nullable(TEXT),
    version: TEXT,
    uptimeMs: MILLISECONDS,
    store: described(oneOf('memory', 'directory', 'postgres'), 'Where jobs are kept.'),
    jobs: COUNTS,
  }),
);

/** The health report of a service. */
export type Health = Of<typeof HEALTH>;

/** The reply of a service that takes requests. */
export const READY = named('Ready', object({ status: oneOf('ready') }));

/** The reply of a service that takes requests. */
export type Ready = Of<typeof READY>;

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

const { trustAnchors: _, ...USUAL } = OPTION_FIELDS;

/** What a service tells its page of itself, in the page's head. */
export const PAGE_FACTS = object({
  /** What applies to a traversal unless its request says otherwise. */
  usual: object(USUAL),
  /** Whether it lists the ended jobs of a name. */
  history: BOOLEAN,
  /** Whether it draws results (`format=svg`). */
  draws: BOOLEAN,
  /** The names worth asking for, if what the service asks is the simulated internet. */
  demo: optional(list(object({ name: TEXT, type: TEXT, line: TEXT, option: optional(oneOf('--check')) }))),
});

/** What a service tells its page of itself. */
export type PageFacts = Of<typeof PAGE_FACTS>;
