import { type Shape, ShapeError, text } from '../shape.ts';

/** Whether a text is a job's identifier: a UUID (RFC 9562 4), which no domain looks like. */
export function isJobId(value: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(value);
}

/** A job's identifier, as a server says it. */
export const jobId: Shape<string> = (value, pointer) => {
  const id = text(value, pointer);
  if (!isJobId(id)) throw new ShapeError(pointer, 'must be a UUID');
  return id;
};
