import { described } from '../../shape/schema.ts';
import type { Shape } from '../../shape/shape.ts';
import { matching } from '../../shape/values.ts';

/** A job's identifier: a UUID (RFC 9562 4). */
export const JOB_ID: Shape<string> = described(
  matching(/^[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}$/, 'a UUID', { format: 'uuid' }),
  'Cannot be guessed: anyone who knows it can read and cancel the job.',
);
