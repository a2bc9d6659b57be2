import type { MetServer } from '../../fingerprint/servers-met.ts';
import type { TraversalEvent } from '../../traverse.ts';
import type { JobRequest } from '../jobs/job.ts';
import type { Traversed } from './evaluation.ts';

/** What a job is told while it runs, and how it is stopped. */
export interface Running {
  readonly emit: (event: TraversalEvent) => void;
  readonly signal: AbortSignal;
}

/** All that the service knows of the DNS: the two things it lets others do. */
export interface Engine {
  /** Resolves with what is known, also when it is stopped; rejects with a `JobFailure`, or for a bug. */
  readonly traverse: (request: JobRequest, running: Running) => Promise<Traversed>;
  /**
   * Asks each server what it is, and resolves with the rows of the list (contract, section 2). It
   * rejects with the signal's reason when it is stopped.
   */
  readonly fingerprint: (met: readonly MetServer[], signal: AbortSignal) => Promise<readonly object[]>;
}
