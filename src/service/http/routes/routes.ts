import type { Job } from '../../jobs/job.ts';
import type { ApiRequest, Handler } from '../api-request.ts';
import type { HttpReply } from '../http-reply.ts';
import type { ServiceParts } from '../parts.ts';
import { problemOf, problemReply } from '../problem.ts';
import type { Resource } from '../router.ts';
import { getEvents } from './get-events.ts';
import { getAsset, getJobPage, getPage } from './get-page.ts';
import { deleteJob, getJob, getServers } from './job.ts';
import { postTraversal } from './post-traversal.ts';
import { getHealth, getMetrics, getOpenApi } from './service-state.ts';

/** The handlers of a resource by method. HEAD works wherever GET does, OPTIONS everywhere. */
export type Methods = Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', Handler>>>;

/** Every operation of the service. */
export const ROUTES: Readonly<Record<Resource, Methods>> = {
  traversals: { POST: postTraversal },
  traversal: { GET: ofJob(getJob), DELETE: ofJob(deleteJob) },
  servers: { GET: ofJob(getServers) },
  events: { GET: ofJob(getEvents) },
  health: { GET: getHealth },
  openapi: { GET: getOpenApi },
  metrics: { GET: getMetrics },
  page: { GET: getPage },
  'job-page': { GET: getJobPage },
  asset: { GET: getAsset },
};

type JobHandler = (job: Job, parts: ServiceParts, request: ApiRequest) => HttpReply | Promise<HttpReply>;

function ofJob(handler: JobHandler): Handler {
  return (request, parts) => {
    const job = parts.jobs.find(request.id);
    if (job === undefined) return problemReply(problemOf(404, 'No such job (it may have expired).'));
    return handler(job, parts, request);
  };
}
