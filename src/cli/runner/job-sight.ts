import type { JobEvent } from '../../document/events.ts';
import type { ListedServer } from '../../document/servers.ts';

/** Whoever looks at a job, wherever it runs. */
export interface JobSight {
  /** Is told every event once, in order. */
  readonly emit: (event: JobEvent) => void;
  /** Is told of each server as soon as it is identified, if the job runs here. */
  readonly identified: (server: ListedServer) => void;
  /** Is told when the way to a server breaks, and when it is there again. */
  readonly connection: (state: 'lost' | 'back') => void;
  /** The wish to stop. */
  readonly signal: AbortSignal;
}

/** Carries a job out, or follows it, until its last event. Rejects with a `CommandError` when it cannot. */
export type JobRun = (sight: JobSight) => Promise<void>;
