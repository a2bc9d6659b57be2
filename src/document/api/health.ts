import { nullable } from '../../shape/list.ts';
import { object, optional } from '../../shape/object.ts';
import { described, named } from '../../shape/schema.ts';
import type { Of } from '../../shape/shape.ts';
import { COUNT, oneOf, TEXT } from '../../shape/values.ts';
import { MILLISECONDS } from '../measures.ts';

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
    store: described(oneOf('memory', 'directory', 'redis'), 'Where jobs are kept.'),
    jobs: COUNTS,
  }),
);

/** The health report of a service. */
export type Health = Of<typeof HEALTH>;
