import { nullable } from '../../shape/list.ts';
import { object } from '../../shape/object.ts';
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

/** The health report of a service. */
export const HEALTH = named(
  'Health',
  object({
    status: described(oneOf('ok', 'degraded'), '`degraded`: jobs cannot be kept where they should be.'),
    region: nullable(TEXT),
    version: TEXT,
    uptimeMs: MILLISECONDS,
    store: described(oneOf('memory', 'directory', 'redis'), 'Where jobs are kept.'),
    jobs: COUNTS,
  }),
);

/** The health report of a service. */
export type Health = Of<typeof HEALTH>;
