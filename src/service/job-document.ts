import type { JobHead, JobLinks } from '../document/api/jobs.ts';
import type { BodyPiece } from './http/reply.ts';
import { isEnded, type Job } from './jobs/job.ts';

/**
 * The JSON text of a job, in pieces: the result, which already is text, is inserted without being parsed
 * or unpacked. `ahead`: how many jobs go before it, if that is known.
 */
export function jobDocument(job: Job, ahead?: number): readonly BodyPiece[] {
  const head = JSON.stringify({ ...jobHead(job), ...(ahead === undefined ? {} : { ahead }) });
  const result = 'result' in job.state ? job.state.result : undefined;
  if (result === undefined) return [Buffer.from(head)];
  return [Buffer.from(`${head.slice(0, -1)},"result":`), ...result, Buffer.from('}')];
}

/** The paths of a job, its events and its servers. */
export function jobLinks(id: string): JobLinks {
  const self = `/api/traverse/${id}`;
  return { self, events: `${self}/events`, servers: `${self}/servers` };
}

function jobHead({ id, state, request, createdAt, progress }: Job): JobHead {
  const startedAt = 'startedAt' in state ? state.startedAt : undefined;
  return {
    id,
    status: state.status,
    query: { ...request.question, class: 'IN' },
    createdAt: createdAt.toISOString(),
    ...(startedAt === undefined ? {} : { startedAt: startedAt.toISOString() }),
    ...(isEnded(state) ? { finishedAt: state.finishedAt.toISOString() } : {}),
    progress,
    ...(state.status === 'failed' ? { error: state.error } : {}),
  };
}
