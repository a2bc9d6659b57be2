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

/** What an earlier process left. */
export interface FoundJobs {
  /** In the order in which they were accepted. */
  readonly waiting: readonly WaitingJob[];
  /** In the order in which they ended. */
  readonly ended: readonly KeptJob[];
}

/**
 * Where jobs are kept for a later process. What cannot be kept is the store's to tell the operator: no method
 * rejects, and jobs go on without.
 */
export interface JobKeeper {
  /** With `memory`, whatever has not ended when the process stops is cancelled; else it is left to the next. */
  readonly kind: 'memory' | 'directory';
  /** Whether what was to be kept last is kept. */
  readonly state: 'ok' | 'degraded';
  /** To be called once, before all others. */
  readonly load: () => Promise<FoundJobs>;
  /** Resolves once the job outlives the process. To be called again when it begins, or is left to the next process. */
  readonly keepWaiting: (job: WaitingJob) => Promise<void>;
  /** The job is no longer a waiting one. */
  readonly keepEnded: (job: KeptJob) => Promise<void>;
  readonly keepServers: (id: string, list: Buffer) => Promise<void>;
  readonly forget: (id: string) => Promise<void>;
  /** Resolves once everything is done that was asked for. */
  readonly settled: () => Promise<void>;
}

/** Keeps nothing: with the process all jobs are gone. */
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
