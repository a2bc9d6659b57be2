/* What keeps the jobs of a process for the next one, and the forms in which it keeps them. */

import type { JobProgress } from '../../document/api/jobs.ts';
import type { KeptEvents } from './event-log.ts';
import { type AcceptedJob, cancelledEnd, type Ended, failedEnd, type Job } from './job.ts';
import type { RunTrace } from './run-job.ts';

/** A job that has not ended, as a later process needs to know it. */
export interface WaitingJob extends AcceptedJob {
  /** How often its traversal has begun. */
  readonly attempts: number;
  /** When that was first, if it has. */
  readonly firstStartedAt?: Date;
  /** No event that anybody may have seen has a greater id. */
  readonly lastEvent: number;
}

/** A job that has ended, as a later process needs to know it. */
export interface KeptJob extends AcceptedJob {
  readonly state: Ended;
  readonly progress: JobProgress;
  /** Without those that tell of the end and of the servers. */
  readonly events: KeptEvents;
  /** For fingerprinting, if that is not done. */
  readonly trace: RunTrace;
  /** Whether its end is still to be announced to others than the operator. */
  readonly owed?: boolean;
  /** The server list as JSON text, once there is one. */
  readonly servers?: Buffer;
}

/** The jobs that an earlier process left. */
export interface FoundJobs {
  /** In the order in which they were accepted. */
  readonly waiting: readonly WaitingJob[];
  /** In the order in which they ended. */
  readonly ended: readonly KeptJob[];
}

/**
 * Keeps the jobs of a process for the next one. No method but `load` rejects: an implementation that cannot write reports
 * that to the operator, and jobs go on without.
 */
export interface JobPersistence {
  /** With `memory`, unfinished jobs are cancelled when the process stops; otherwise the next process takes them over. */
  readonly kind: 'memory' | 'directory';
  /** `degraded`: the last write failed. */
  readonly state: 'ok' | 'degraded';
  /** Reads what an earlier process left. Call it once, before all others. */
  readonly load: () => Promise<FoundJobs>;
  /** Resolves once the job outlives the process. Call it again when the job begins, or is left to the next process. */
  readonly keepWaiting: (job: WaitingJob) => Promise<void>;
  /** The job is no longer a waiting one. */
  readonly keepEnded: (job: KeptJob) => Promise<void>;
  /** The end of a job that was kept as owed is announced. */
  readonly keepAnnounced: (id: string) => Promise<void>;
  readonly keepServers: (id: string, list: Buffer) => Promise<void>;
  readonly forget: (id: string) => Promise<void>;
  /** Resolves once all writes are done. */
  readonly settled: () => Promise<void>;
}

/** Keeps nothing: all jobs end with the process. */
export const MEMORY_ONLY: JobPersistence = {
  kind: 'memory',
  state: 'ok',
  load: () => Promise.resolve({ waiting: [], ended: [] }),
  keepWaiting: () => Promise.resolve(),
  keepEnded: () => Promise.resolve(),
  keepAnnounced: () => Promise.resolve(),
  keepServers: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  settled: () => Promise.resolve(),
};

/** Attempts at a traversal under which the service dies, before the job fails. */
export const MOST_ATTEMPTS = 3;

/** The ids set aside for events of a job that runs: half of them are more than come while the job is kept. */
const EVENTS_AHEAD = 4_096;

/** After so many events a job that runs is to be kept again. */
export const EVENTS_UNTIL_KEPT = EVENTS_AHEAD / 2;

/** A job that waits for its turn: the next process begins it. */
export function waiting(job: Job): WaitingJob {
  const { attempts, firstStartedAt, events } = job;
  return { ...accepted(job), attempts, ...(firstStartedAt && { firstStartedAt }), lastEvent: events.last };
}

/** A job whose traversal has begun: a process that finds it like this follows one that was killed. */
export function begun(job: Job): WaitingJob {
  return { ...waiting(job), lastEvent: job.events.last + EVENTS_AHEAD };
}

/** A job that is left to the next process by one that was asked to stop, which does not count as an attempt. */
export function left(job: Job): WaitingJob {
  return { ...waiting(job), attempts: Math.max(0, job.attempts - 1) };
}

/** A job that has ended. `owed`: whether its end is still to be announced. */
export function ended(job: Job, state: Ended, trace: RunTrace, owed: boolean): KeptJob {
  return {
    ...accepted(job),
    state,
    progress: job.progress,
    events: job.events.kept,
    trace,
    ...(owed && { owed }),
  };
}

/** The end of a job that has begun too often. */
export function givenUp({ firstStartedAt }: FirstStart, at: Date): Ended {
  return failedEnd(firstStartedAt ?? at, at, GIVEN_UP);
}

/** The end of a job that lost its place in a full queue. */
export function crowdedOut({ firstStartedAt }: FirstStart, at: Date): Ended {
  return failedEnd(firstStartedAt, at, CROWDED_OUT);
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

/** Why a job lost its place in a full queue. */
const CROWDED_OUT = {
  title: 'Crowded out',
  detail:
    'The job queue was full, and this job was the last of the client or network with the most jobs in it. Start the job again later, with fewer jobs waiting at a time.',
};

function accepted({ id, request, owner, createdAt, key }: Job): AcceptedJob {
  return { id, request, owner, createdAt, key };
}
