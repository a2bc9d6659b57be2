import { readShape } from '../../shape/shape.ts';
import type { AcceptedJob } from '../jobs/job.ts';
import type { WaitingJob } from '../jobs/job-keeper.ts';
import { WAITING_HEAD, type WaitingHead } from './heads.ts';
import { type JobFile, readJobFile } from './job-file.ts';

/** The file of a job that has not ended. */
export function waitingFile(job: WaitingJob): JobFile {
  const { attempts, firstStartedAt, lastEvent } = job;
  const started = firstStartedAt && { firstStartedAt: firstStartedAt.toISOString() };
  return {
    head: { ...acceptedHead(job), attempts, ...started, lastEvent } satisfies WaitingHead,
    octets: [],
  };
}

/** Reads it. Throws a `DamagedFile`, `JsonError` or `ShapeError`. */
export function readWaitingFile(file: Buffer): WaitingJob {
  const head = readShape(WAITING_HEAD, readJobFile(file).head);
  const { attempts, firstStartedAt, lastEvent, ...accepted } = head;
  const started = firstStartedAt === undefined ? {} : { firstStartedAt: new Date(firstStartedAt) };
  return { ...acceptedIn(accepted), attempts, ...started, lastEvent };
}

/** The members that the heads of all jobs have. */
type AcceptedHead = Pick<WaitingHead, 'id' | 'question' | 'options' | 'owner' | 'createdAt'>;

/** Writes the members that all heads have. */
export function acceptedHead({ id, request, owner, createdAt }: AcceptedJob): AcceptedHead {
  return { id, ...request, owner, createdAt: createdAt.toISOString() };
}

/** Reads them. */
export function acceptedIn({ id, question, options, owner, createdAt }: AcceptedHead): AcceptedJob {
  return { id, request: { question, options }, owner, createdAt: new Date(createdAt) };
}
