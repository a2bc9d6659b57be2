import type { JobEvent } from '../service/jobs/job-event.ts';

/** Who follows a job's events. */
export interface Follower {
  /** Is told each event once, in their order; says when it has seen enough. */
  readonly event: (event: JobEvent) => 'go-on' | 'enough';
  /** The connection is lost and looked for again, or back. */
  readonly connection: (state: 'lost' | 'back') => void;
}
