import type { TraversalOptions } from '../../options.ts';
import type { Conclusion } from '../../reading/conclusion.ts';
import type { Question } from '../../wire/question.ts';
import { JobEvents } from './event-log.ts';

/** What a client asked for. */
export interface JobRequest {
  readonly question: Question;
  readonly options: TraversalOptions;
}

/** Waits for its turn. */
export interface Queued {
  readonly status: 'queued';
}

/** It is being traversed. */
export interface Running {
  readonly status: 'running';
  readonly startedAt: Date;
}

/** How a job ended, and what there is to say of it. */
export type Ended = {
  readonly finishedAt: Date;
  /** What the traversal came to: the data of the `complete` event. */
  readonly conclusion: Conclusion;
} & (
  | { readonly status: 'complete'; readonly startedAt: Date; readonly result: Uint8Array }
  | { readonly status: 'failed'; readonly startedAt: Date; readonly error: JobError }
  /** While it waited (then it never started) or while it ran (then there is what was known). */
  | { readonly status: 'cancelled'; readonly startedAt?: Date; readonly result?: Uint8Array }
);

/** What a job does, or how it ended. */
export type JobState = Queued | Running | Ended;

/** Why a job failed. Of a fault of ours nothing is told but that it is one. */
export interface JobError {
  readonly title: string;
  readonly detail: string;
}

/** What an engine rejects with when a job fails through no fault of ours, and its client may know why. */
export class JobFailure extends Error {
  readonly told: JobError;

  constructor(told: JobError) {
    super(told.detail);
    this.told = told;
  }
}

/** How far a job is. */
export interface JobProgress {
  readonly exchanges: number;
  readonly pending: number;
}

/** One traversal job. Everything that is large in it is serialised text. */
export class Job {
  readonly events = new JobEvents();
  readonly id: string;
  readonly request: JobRequest;
  /** The address the request came from. */
  readonly client: string;
  readonly createdAt: Date;
  state: JobState = { status: 'queued' };
  progress: JobProgress = { exchanges: 0, pending: 0 };
  /** The list of servers as JSON text (contract, section 2); undefined while it is pending. */
  servers: Buffer | undefined = undefined;

  constructor(id: string, request: JobRequest, client: string, createdAt: Date) {
    this.id = id;
    this.request = request;
    this.client = client;
    this.createdAt = createdAt;
  }

  /** Octets of memory that keeping it takes, near enough. */
  get bytes(): number {
    const result = 'result' in this.state ? (this.state.result?.length ?? 0) : 0;
    return OVERHEAD_BYTES + result + this.events.bytes + (this.servers?.length ?? 0);
  }
}

/** What the objects around the texts take. */
const OVERHEAD_BYTES = 4_096;

/** Whether a state is an end: no transition leads out of it. */
export function isEnded(state: JobState): state is Ended {
  return state.status !== 'queued' && state.status !== 'running';
}
