import { type Shape, ShapeError, text } from '../shape.ts';

/** Whether a text is the identifier of a job: a UUID (RFC 9562 4), which no domain name looks like. */
export function isJobId(value: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(value);
}

/** The identifier of a job, as a server sends it. */
export const jobId: Shape<string> = (value, pointer) => {
  const id = text(value, pointer);
  if (!isJobId(id)) throw new ShapeError(pointer, 'must be a UUID');
  return id;
};
