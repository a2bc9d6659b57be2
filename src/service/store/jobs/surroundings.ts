import type { JobSurroundings } from '../../jobs/jobs.ts';
import type { Reading } from './reading.ts';
import type { Running } from './running.ts';
import type { Unreadable } from './unreadable.ts';
import type { Upkeep } from './upkeep.ts';

/** The surroundings of all parts of shared jobs. */
export interface SharedSurroundings extends JobSurroundings {
  readonly running: Running;
  readonly reading: Reading;
  readonly upkeep: Upkeep;
  readonly unreadable: Unreadable;
  /** Does something again and again until the store is there for it; undefined once the instance ends without that. */
  readonly stored: <T>(what: () => Promise<T>) => Promise<T | undefined>;
  /** Is told why something failed that nobody waits for: through a bug, or because the store is away. */
  readonly failed: (error: unknown) => void;
}
