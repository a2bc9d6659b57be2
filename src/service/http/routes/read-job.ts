import type { Job } from '../../jobs/job.ts';
import { emptyReply, jsonReply, type Reply, valueReply } from '../http-reply.ts';
import type { ServiceParts } from '../parts.ts';
import { jobDocument } from './job-view.ts';

/** GET /api/traverse/{id}. */
export function readJob(job: Job): Reply {
  return jsonReply(200, jobDocument(job));
}

/** DELETE /api/traverse/{id}: when it answers, the job has ended. */
export async function cancelJob(job: Job, { jobs }: ServiceParts): Promise<Reply> {
  await jobs.cancel(job);
  return emptyReply();
}

/** GET /api/traverse/{id}/servers. */
export function readServers(job: Job): Reply {
  if (job.servers === undefined) return valueReply(202, { status: 'pending' }, { 'Retry-After': '1' });
  return jsonReply(200, [job.servers]);
}
