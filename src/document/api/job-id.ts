import { described } from '../../shape/schema.ts';
import type { Shape } from '../../shape/shape.ts';
import { matching } from '../../shape/values.ts';

const UUID = /^[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}$/;

/** A job's identifier: a UUID (RFC 9562 4). */
export const JOB_ID: Shape<string> = described(
  matching(UUID, 'a UUID', { format: 'uuid' }),
  'Cannot be guessed: anyone who knows it can read and cancel the job.',
);

/** Whether a text is the identifier of a job, which no domain name looks like. */
export function isJobId(text: string): boolean {
  return UUID.test(text);
}
