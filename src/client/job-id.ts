import { JOB_ID } from '../document/api/job-id.ts';
import { INVALID } from '../shape/shape.ts';

/** Whether a text is the identifier of a job: a UUID (RFC 9562 4), which no domain name looks like. */
export function isJobId(value: string): boolean {
  return JOB_ID.read(value, '', () => INVALID) !== INVALID;
}
