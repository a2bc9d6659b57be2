/* Starts, reads and cancels jobs at a service. */

import { MOST_OCTETS } from '../../base/octets.ts';
import { readShape, type Shape, ShapeError } from '../../base/shape.ts';
import { object, optional } from '../../base/shape-object.ts';
import { matching, TEXT } from '../../base/shape-values.ts';
import { JOB_FIELDS, JOB_ID, type JobHead } from '../../document/api/jobs.ts';
import { BRIEF } from '../../document/api/read-response.ts';
import { type RequestBody, writtenRequest } from '../../document/api/request.ts';
import { SAVED, type Saved } from '../../document/read-result.ts';
import { failed, map, ok, type RunAnswer } from '../../document/run-answer.ts';
import { SERVER_LIST, type ServerList } from '../../document/servers.ts';
import { request } from './request.ts';

/** A job as the server describes it. Its result has been read and can be evaluated again. */
export interface JobView {
  readonly status: JobHead['status'];
  /** Absent if its turn never came. */
  readonly startedAt?: string;
  readonly result?: Saved;
  readonly error?: { readonly detail: string };
}

/** A job that was started here, and the token that cancels it, if the service gives any. */
export interface StartedJob {
  readonly id: string;
  readonly cancel?: string;
}

/** Starts a job. */
export async function startJob(
  server: URL,
  body: RequestBody,
  signal: AbortSignal,
): Promise<RunAnswer<StartedJob>> {
  const call = { method: 'POST', path: 'api/traverse', body: writtenRequest(body) } as const;
  const answer = await request(server, call, signal);
  // No job was asked for, so a 404 is about the path.
  if (answer.kind === 'failed' && answer.failure.kind === 'no-such-job') return NO_API;
  return map(answer, (value) => read(STARTED, value));
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
): Promise<RunAnswer<JobView>> {
  const call = { method: 'GET', path: `${pathOf(id)}?full`, mostOctets: MOST_OCTETS.job, heardAll } as const;
  const answer = await request(server, call, signal);
  return map(answer, (value) => read(JOB, value));
}

/** Cancels a job and waits until it has ended. Does nothing to one that already had. */
export async function cancelJob(
  server: URL,
  { id, cancel }: StartedJob,
  signal: AbortSignal,
): Promise<RunAnswer<void>> {
  const headers: Record<string, string> = cancel === undefined ? {} : { 'Cancel-Token': cancel };
  const answer = await request(server, { method: 'DELETE', path: pathOf(id), headers }, signal);
  return map(answer, () => ok(undefined));
}

/** Reads the server list of a job. */
export async function readServers(
  server: URL,
  id: string,
  signal: AbortSignal,
): Promise<RunAnswer<ServerList | 'pending'>> {
  const call = { method: 'GET', path: `${pathOf(id)}/servers`, mostOctets: MOST_OCTETS.servers } as const;
  const answer = await request(server, call, signal);
  return map(answer, readWhenReady);
}

function readWhenReady(value: unknown): RunAnswer<ServerList | 'pending'> {
  const status = read(STATUS, value);
  if (status.kind === 'failed') return status;
  return status.value.status === 'pending' ? ok('pending') : read(SERVER_LIST, value);
}

function pathOf(id: string): string {
  return `api/traverse/${encodeURIComponent(id)}`;
}

/** As it stands in a header: other servers than ours might send anything. */
const TOKEN = matching(/^[\w.~+/=-]{1,200}$/, 'a token');

const STARTED: Shape<StartedJob> = object({ id: JOB_ID, cancel: optional(TOKEN) });
const STATUS = object({ status: TEXT });

const JOB: Shape<JobView> = object({
  status: JOB_FIELDS.status,
  startedAt: JOB_FIELDS.startedAt,
  result: optional(SAVED),
  error: optional(object({ detail: BRIEF })),
});

function read<T>(shape: Shape<T>, value: unknown): RunAnswer<T> {
  try {
    return ok(readShape(shape, value));
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return failed({ kind: 'not-a-service', detail: error.message });
  }
}
