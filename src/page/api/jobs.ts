import { type ApiAnswer, map, ok } from '../../client/failure.ts';
import { JOB, JOB_CREATED } from '../../document/api/jobs.ts';
import { type RequestBody, writtenRequest } from '../../document/api/request.ts';
import { SERVER_LIST, type ServerList } from '../../document/servers.ts';
import { object } from '../../shape/object.ts';
import type { Of } from '../../shape/shape.ts';
import { TEXT } from '../../shape/values.ts';
import { callService, readAs, sendCall } from './call.ts';

const TRAVERSALS = '/api/traverse';

/** A job with its result, once it has one. */
export type FetchedJob = Of<typeof JOB> & {
  /** For how long it had been running, by the service's clock, to the second; undefined if that is not known. */
  readonly runningMs?: number;
};

/** Asks for a traversal; gives the identifier of its job. */
export async function requestTraversal(body: RequestBody, signal: AbortSignal): Promise<ApiAnswer<string>> {
  const created = await callService(
    { method: 'POST', path: TRAVERSALS, body: writtenRequest(body) },
    JOB_CREATED,
    signal,
  );
  return map(created, ({ id }) => ok(id));
}

/** Fetches a job. */
export async function fetchJob(id: string, signal: AbortSignal): Promise<ApiAnswer<FetchedJob>> {
  const reply = await sendCall({ method: 'GET', path: jobPath(id) }, signal);
  return map(reply, ({ value, date }) =>
    map(readAs(JOB, value), (job) => {
      if (job.startedAt === undefined || date === undefined) return ok(job);
      return ok({ ...job, runningMs: Math.max(0, date - Date.parse(job.startedAt)) });
    }),
  );
}

/** Cancels a job. */
export async function abandonJob(id: string, signal: AbortSignal): Promise<ApiAnswer<unknown>> {
  return await sendCall({ method: 'DELETE', path: jobPath(id) }, signal);
}

const STATUS = object({ status: TEXT });

/** Fetches what the servers of a job that has ended said of themselves. */
export async function fetchServers(
  id: string,
  signal: AbortSignal,
): Promise<ApiAnswer<ServerList | 'pending'>> {
  const reply = await sendCall({ method: 'GET', path: `${jobPath(id)}/servers` }, signal);
  return map(reply, ({ value }) => readWhenReady(value));
}

function readWhenReady(value: unknown): ApiAnswer<ServerList | 'pending'> {
  const status = readAs(STATUS, value);
  if (status.kind === 'failed') return status;
  return status.value.status === 'pending' ? ok('pending') : readAs(SERVER_LIST, value);
}

/** The path of a job's events. */
export function eventsPath(id: string): string {
  return `${jobPath(id)}/events`;
}

function jobPath(id: string): string {
  return `${TRAVERSALS}/${encodeURIComponent(id)}`;
}
