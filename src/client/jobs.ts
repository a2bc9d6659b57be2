import { JOB_ID } from '../document/api/job-id.ts';
import { JOB_FIELDS, type JobHead } from '../document/api/jobs.ts';
import { type RequestBody, writtenRequest } from '../document/api/request.ts';
import { SAVED, type Saved } from '../document/read-result.ts';
import { SERVER_LIST, type ServerList } from '../document/servers.ts';
import { MOST_OCTETS } from '../octets.ts';
import { object, optional } from '../shape/object.ts';
import { readShape, type Shape, ShapeError } from '../shape/shape.ts';
import { TEXT } from '../shape/values.ts';
import { BRIEF } from './brief.ts';
import { type ApiAnswer, failed, map, ok } from './failure.ts';
import { request } from './request.ts';

/** A job as the server describes it. Its result has been read and can be evaluated again. */
export interface JobView {
  readonly status: JobHead['status'];
  readonly result?: Saved;
  readonly error?: { readonly detail: string };
}

/** Starts a job and returns its identifier. */
export async function startJob(
  server: URL,
  body: RequestBody,
  signal: AbortSignal,
): Promise<ApiAnswer<string>> {
  const call = { method: 'POST', path: 'api/traverse', body: writtenRequest(body) } as const;
  const answer = await request(server, call, signal);
  // No job was asked for, so a 404 is about the path.
  if (answer.kind === 'failed' && answer.failure.kind === 'no-such-job') return NO_API;
  return map(answer, (value) => map(read(STARTED, value), ({ id }) => ok(id)));
}

const NO_API = failed({ kind: 'not-a-service', detail: 'there is no /api/traverse' });

/**
 * Reads a job. `heardAll` is called with the number of its octets when all are there, before they are read,
 * which can take seconds. It may abort `signal`.
 */
export async function readJob(
  server: URL,
  id: string,
  signal: AbortSignal,
  heardAll?: (octets: number) => void,
): Promise<ApiAnswer<JobView>> {
  const call = { method: 'GET', path: pathOf(id), mostOctets: MOST_OCTETS.job, heardAll } as const;
  const answer = await request(server, call, signal);
  return map(answer, (value) => read(JOB, value));
}

/** Cancels a job and waits until it has ended. Does nothing to one that already had. */
export async function cancelJob(server: URL, id: string, signal: AbortSignal): Promise<ApiAnswer<void>> {
  const answer = await request(server, { method: 'DELETE', path: pathOf(id) }, signal);
  return map(answer, () => ok(undefined));
}

/** Reads the server list of a job. */
export async function readServers(
  server: URL,
  id: string,
  signal: AbortSignal,
): Promise<ApiAnswer<ServerList | 'pending'>> {
  const call = { method: 'GET', path: `${pathOf(id)}/servers`, mostOctets: MOST_OCTETS.servers } as const;
  const answer = await request(server, call, signal);
  return map(answer, readWhenReady);
}

function readWhenReady(value: unknown): ApiAnswer<ServerList | 'pending'> {
  const status = read(STATUS, value);
  if (status.kind === 'failed') return status;
  return status.value.status === 'pending' ? ok('pending') : read(SERVER_LIST, value);
}

function pathOf(id: string): string {
  return `api/traverse/${encodeURIComponent(id)}`;
}

const STARTED = object({ id: JOB_ID });
const STATUS = object({ status: TEXT });

const JOB: Shape<JobView> = object({
  status: JOB_FIELDS.status,
  result: optional(SAVED),
  error: optional(object({ detail: BRIEF })),
});

function read<T>(shape: Shape<T>, value: unknown): ApiAnswer<T> {
  try {
    return ok(readShape(shape, value));
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return failed({ kind: 'not-a-service', detail: error.message });
  }
}
