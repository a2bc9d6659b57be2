/* Reads a job as the service sends it. */

import { type Of, readShape, type Shape, ShapeError } from '../../base/shape.ts';
import { FULL_JOB } from '../../document/api/jobs.ts';
import { type ReceivedReply, readReply } from '../../document/api/read-response.ts';
import { failed, map, ok, type RunAnswer } from '../../document/run-answer.ts';

/** Reads the job in a reply. */
export function readJob({ headers, ...reply }: JobReply): RunAnswer<Job> {
  const answer = readReply({ ...reply, headers: new Headers(headers) }, Date.now());
  return map(answer, (value) => readAs(FULL_JOB, value));
}

/** A job with its result, once it has one. */
export type Job = Of<typeof FULL_JOB>;

/** A reply that can be sent to a worker. */
export interface JobReply extends Omit<ReceivedReply, 'headers'> {
  readonly headers: [name: string, value: string][];
}

/** A value as the shape has it. */
export function readAs<T>(shape: Shape<T>, value: unknown): RunAnswer<T> {
  try {
    return ok(readShape(shape, value));
  } catch (error) {
    if (error instanceof ShapeError) return failed({ kind: 'not-a-service', detail: error.message });
    throw error;
  }
}

/** A request to the result worker. */
export interface ReadRequest {
  readonly kind: 'read';
  readonly number: number;
  readonly reply: JobReply;
}

/** The worker's reply, with the number of its request. */
export interface ReadReply {
  readonly number: number;
  readonly answer: RunAnswer<Job>;
}
