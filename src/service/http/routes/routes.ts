import type { Job } from '../../jobs/job.ts';
import type { ApiRequest, Handler } from '../api-request.ts';
import type { Reply } from '../http-reply.ts';
import type { ServiceParts } from '../parts.ts';
import { problemOf, problemReply } from '../problem.ts';
import type { Resource } from '../router.ts';
import { readEvents } from './read-events.ts';
import { cancelJob, readJob, readServers } from './read-job.ts';
import { readHealth, readMetrics, readOpenApi } from './service-state.ts';
import { startTraversal } from './start-traversal.ts';

/** What can be done to a resource. HEAD works where GET does, OPTIONS everywhere. */
export type Methods = Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', Handler>>>;

/** Every operation of the service. */
export const ROUTES: Readonly<Record<Resource, Methods>> = {
  traversals: { POST: startTraversal },
  traversal: { GET: ofJob(readJob), DELETE: ofJob(cancelJob) },
  servers: { GET: ofJob(readServers) },
  events: { GET: ofJob(readEvents) },
  health: { GET: readHealth },
  openapi: { GET: readOpenApi },
  metrics: { GET: readMetrics },
};

type JobHandler = (job: Job, parts: ServiceParts, request: ApiRequest) => Reply | Promise<Reply>;

function ofJob(handler: JobHandler): Handler {
  return (request, parts) => {
    const job = parts.jobs.find(request.id);
    if (job === undefined) return problemReply(problemOf(404, 'There is no such job, or no longer.'));
    return handler(job, parts, request);
  };
}
