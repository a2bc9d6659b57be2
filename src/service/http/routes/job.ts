import type { Job } from '../../jobs/job.ts';
import { type HttpReply, jsonReply, noContent, valueReply } from '../http-reply.ts';
import type { ServiceParts } from '../parts.ts';
import { jobDocument } from './job-view.ts';

/** GET /api/traverse/{id}. */
export function getJob(job: Job): HttpReply {
  return jsonReply(200, jobDocument(job));
}

/** DELETE /api/traverse/{id}: replies once the job has ended. */
export async function deleteJob(job: Job, { jobs }: ServiceParts): Promise<HttpReply> {
  await jobs.cancel(job);
  return noContent();
}

/** GET /api/traverse/{id}/servers. */
export function getServers(job: Job): HttpReply {
  if (job.servers === undefined) return valueReply(202, { status: 'pending' }, { 'Retry-After': '1' });
  return jsonReply(200, [job.servers]);
}
