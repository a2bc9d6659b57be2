/* The jobs of a service, wherever they are kept: what can be asked of them, and the answers. */

import type { Clock } from '../../base/clock.ts';
import type { HistoryAsked } from '../../document/api/history.ts';
import type { DegradedReason, Health, JobCounts } from '../../document/api/service-documents.ts';
import type { Requester } from '../client.ts';
import type { AdmissionRules, FullQueue } from './admission.ts';
import type { Ended, Engine, Job, JobRequest } from './job.ts';
import type { RetentionRules } from './retention.ts';

/** Why a job is not accepted. `away`: the shared store is unreachable. */
export type NoRoom = FullQueue | 'closing' | 'away';

/** The result of submitting a job. */
export type Submitted<Known = Pick<Job, 'id'>> =
  /** `stored` resolves once the job is kept. */
  | { readonly kind: 'queued'; readonly job: Known; readonly stored: Promise<void> }
  | { readonly kind: 'refused'; readonly why: NoRoom }
  /** The client has used the key for another request. */
  | { readonly kind: 'key-used' }
  /** The shared store went away in the middle: whether the job starts is known only when it is back. */
  | { readonly kind: 'unknown' };

/** The part of a job that a caller needs beside its state: `SharedJobs` fetches no other. */
export type JobPart = 'state' | 'result' | 'events' | 'servers';

/**
 * A job; undefined if there is none; `away` if the shared store is unreachable; `unreadable` if this version cannot read
 * its record there.
 */
export type FoundJob = Job | undefined | 'away' | 'unreadable';

/** A part of the history of a name: jobs without their results and events. */
export interface PastJobs {
  readonly jobs: readonly Job[];
  /** The id to ask for earlier jobs with; undefined if there are none. */
  readonly before: string | undefined;
}

/** Whether jobs are kept where they should be. */
export type ServiceJobsState =
  | { readonly status: 'ok' }
  | { readonly status: 'degraded'; readonly reason: DegradedReason };

/** How many jobs an earlier process left: `begun` are run again, `kept` have ended. */
export interface LeftJobs {
  readonly begun: number;
  readonly kept: number;
}

/** A job that ran when a process died, and how often it had begun by then. */
export interface InterruptedJob {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly attempts: number;
}

/**
 * The jobs of a service, wherever they are kept: in the memory of this process, also in a directory of its own, or in a
 * store shared with other instances. A method returns a promise only where it has to wait for the store.
 */
export interface ServiceJobs {
  readonly kind: Health['store'];
  readonly state: ServiceJobsState;
  /** Reads what earlier processes left. Call it once, before all others. Rejects if that cannot be read. */
  readonly open: () => Promise<LeftJobs>;
  /** Starts to run jobs. */
  readonly begin: () => void;
  /**
   * Accepts a job, which starts when its client's turn comes. With the key of a request that the client made within a day,
   * it is that request's job.
   */
  readonly submit: (request: JobRequest, client: Requester, key?: string) => Submitted | Promise<Submitted>;
  readonly find: (id: string, part: JobPart) => FoundJob | Promise<FoundJob>;
  /** Cancels a job, and resolves once its traversal has ended. Does nothing to one that already had. */
  readonly cancel: (job: Job) => Promise<'ended' | 'away'>;
  /**
   * How many jobs start before a waiting one, unless more come; undefined if it does not wait or the store is
   * unreachable.
   */
  readonly ahead: (job: Job) => number | undefined | Promise<number | undefined>;
  /** The jobs of a name that have ended, the last first. */
  readonly history: (asked: HistoryAsked) => PastJobs | Promise<PastJobs | 'away'>;
  /** Makes `counts` those of now, if they can be known. */
  readonly count: () => Promise<void>;
  readonly counts: JobCounts;
  /** Octets of memory that ended jobs take in this process. */
  readonly retainedBytes: number;
  /**
   * Accepts no more jobs and resolves when all that this process does for jobs is done, the engine's work too. What
   * still runs after `graceMs` is cancelled, unless somebody else can go on with it.
   */
  readonly drain: (graceMs: number) => Promise<void>;
}

/** How many jobs there may be. */
export interface JobSettings extends RetentionRules, AdmissionRules {}

/** Callbacks for starts and ends of jobs. None may throw. */
export interface JobNotices {
  readonly started: (job: Job, startedAt: Date) => void;
  /** A job was running when its process died, perhaps because of it. It runs again. */
  readonly interrupted: (job: InterruptedJob) => void;
  /** `state` is the job's. A job that was cancelled in the queue has no `startedAt`. */
  readonly ended: (job: Job, state: Ended) => void;
  /**
   * Tells others than the operator that a job which had started has ended. Resolves once nothing more is done for that;
   * `cut-off`: another process should do it. Absent without a receiver.
   */
  readonly announce?: (job: Job, state: Ended) => Promise<'done' | 'cut-off'>;
  /** An ended job is gone before its time: there was no room for it. */
  readonly crowdedOut: () => void;
  /** Something failed through a bug. */
  readonly failed: (job: Job, error: unknown) => void;
}

export interface JobSurroundings {
  readonly engine: Engine;
  readonly clock: Clock;
  /** The time of day. */
  readonly now: () => Date;
  readonly notices: JobNotices;
}

/** Makes the jobs of a service, wherever they are kept. */
export type MakeServiceJobs = (settings: JobSettings, around: JobSurroundings) => ServiceJobs;
