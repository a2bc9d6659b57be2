import type { JobProgress } from '../../document/api/jobs.ts';
import type { KeptEvents } from './event-log.ts';
import type { AcceptedJob, Ended } from './job.ts';
import type { RunTrace } from './run.ts';

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
export interface JobKeeper {
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
  readonly keepServers: (id: string, list: Buffer) => Promise<void>;
  readonly forget: (id: string) => Promise<void>;
  /** Resolves once all writes are done. */
  readonly settled: () => Promise<void>;
}

/** Keeps nothing: all jobs end with the process. */
export const IN_MEMORY: JobKeeper = {
  kind: 'memory',
  state: 'ok',
  load: () => Promise.resolve({ waiting: [], ended: [] }),
  keepWaiting: () => Promise.resolve(),
  keepEnded: () => Promise.resolve(),
  keepServers: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  settled: () => Promise.resolve(),
};
