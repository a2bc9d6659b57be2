import type { JobEvent } from '../document/events.ts';

/** Who follows a job's events. */
export interface Follower {
  /** Receives each event once, in order, and says when it has seen enough. */
  readonly event: (event: JobEvent) => 'go-on' | 'enough';
  /** The connection was lost, and is being restored; or it is back. */
  readonly connection: (state: 'lost' | 'back') => void;
}
