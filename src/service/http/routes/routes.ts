import type { Job } from '../../jobs/job.ts';
import type { JobPart } from '../../jobs/job-store.ts';
import type { ApiRequest, Handler } from '../api-request.ts';
import type { HttpReply } from '../http-reply.ts';
import type { ServiceParts } from '../parts.ts';
import { AWAY, problemOf, problemReply } from '../problem.ts';
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
  traversal: { GET: ofJob(getJob, 'result'), DELETE: ofJob(deleteJob, 'state') },
  servers: { GET: ofJob(getServers, 'servers') },
  events: { GET: ofJob(getEvents, 'events') },
  health: { GET: getHealth },
  openapi: { GET: getOpenApi },
  metrics: { GET: getMetrics },
  page: { GET: getPage },
  'job-page': { GET: getJobPage },
  asset: { GET: getAsset },
};

type JobHandler = (job: Job, parts: ServiceParts, request: ApiRequest) => HttpReply | Promise<HttpReply>;

function ofJob(handler: JobHandler, part: JobPart): Handler {
  return async (request, parts) => {
    const job = await parts.jobs.find(request.id, part);
    if (job === 'away') return AWAY;
    if (job === undefined) return problemReply(problemOf(404, 'No such job (it may have expired).'));
    return await handler(job, parts, request);
  };
}
