import type { Job } from '../../jobs/job.ts';
import type { ApiRequest } from '../api-request.ts';
import { type HttpReply, jsonReply, noContent, valueReply } from '../http-reply.ts';
import type { ServiceParts } from '../parts.ts';
import { AWAY } from '../problem.ts';
import { getJobForm } from './job-form.ts';
import { jobDocument } from './job-view.ts';

/** GET /api/traverse/{id}. With `format`, the result alone in that form. */
export async function getJob(job: Job, parts: ServiceParts, request: ApiRequest): Promise<HttpReply> {
  const [format, ...others] = request.query.getAll('format');
  if (format === undefined) return jsonReply(200, jobDocument(job, await parts.jobs.ahead(job)));
  return await getJobForm(job, others.length === 0 ? format : 'several', parts, request);
}

/** DELETE /api/traverse/{id}: replies once the job has ended. */
export async function deleteJob(job: Job, { jobs }: ServiceParts): Promise<HttpReply> {
  return (await jobs.cancel(job)) === 'away' ? AWAY : noContent();
}

/** GET /api/traverse/{id}/servers. */
export function getServers(job: Job): HttpReply {
  if (job.servers === undefined) return valueReply(202, { status: 'pending' }, { 'Retry-After': '1' });
  return jsonReply(200, [job.servers]);
}
