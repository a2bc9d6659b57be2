import { nullable } from '../../shape/list.ts';
import { object } from '../../shape/object.ts';
import { described, named } from '../../shape/schema.ts';
import type { Of } from '../../shape/shape.ts';
import { COUNT, oneOf, TEXT } from '../../shape/values.ts';
import { MILLISECONDS } from '../measures.ts';

const COUNTS = object({
  queued: COUNT,
  running: COUNT,
  retained: described(COUNT, 'Jobs that ended and are kept.'),
});

/** Numbers of jobs. */
export type JobCounts = Of<typeof COUNTS>;

/** What a service says of itself. */
export const HEALTH = named(
  'Health',
  object({
    status: oneOf('ok'),
    region: nullable(TEXT),
    version: TEXT,
    uptimeMs: MILLISECONDS,
    jobs: COUNTS,
  }),
);

/** What a service says of itself. */
export type Health = Of<typeof HEALTH>;
