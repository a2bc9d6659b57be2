import { cancelledEnd, type Ended, failedEnd, type Job } from './job.ts';
import type { KeptJob, WaitingJob } from './job-keeper.ts';
import type { RunTrace } from './run.ts';

/** Attempts at a traversal under which the service dies, before the job fails. */
export const MOST_ATTEMPTS = 3;

/** More events than one attempt can have. */
const EVENTS_OF_AN_ATTEMPT = 1_000_000;

/** A job that waits for its turn: the next process begins it. */
export function waiting(job: Job): WaitingJob {
  const { attempts, firstStartedAt, events } = job;
  return { ...accepted(job), attempts, ...(firstStartedAt && { firstStartedAt }), lastEvent: events.last };
}

/** A job whose traversal has begun: a process that finds it like this follows one that was killed. */
export function begun(job: Job): WaitingJob {
  return { ...waiting(job), lastEvent: job.events.last + EVENTS_OF_AN_ATTEMPT };
}

/** A job that is left to the next process by one that was asked to stop, which does not count as an attempt. */
export function left(job: Job): WaitingJob {
  return { ...waiting(job), attempts: Math.max(0, job.attempts - 1) };
}

/** A job that has ended. */
export function ended(job: Job, state: Ended, trace: RunTrace): KeptJob {
  return { ...accepted(job), state, progress: job.progress, events: job.events.kept, trace };
}

/** The end of a job that has begun too often. */
export function givenUp({ firstStartedAt }: FirstStart, at: Date): Ended {
  return failedEnd(firstStartedAt ?? at, at, GIVEN_UP);
}

/** The end of a job that was cancelled while its traversal did not run. One that ran before had started all the same. */
export function cancelledBefore({ firstStartedAt }: FirstStart, at: Date): Ended {
  return cancelledEnd(firstStartedAt, at);
}

type FirstStart = Pick<Job, 'firstStartedAt'>;

const GIVEN_UP = {
  title: 'Given up',
  detail: `The service stopped unexpectedly while it was running, ${MOST_ATTEMPTS} times.`,
};

function accepted({ id, request, owner, createdAt }: Job) {
  return { id, request, owner, createdAt };
}
