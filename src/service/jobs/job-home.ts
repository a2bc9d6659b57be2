import type { JobStore } from './job-store.ts';
import type { JobSettings, JobSurroundings } from './jobs.ts';

/** Makes the home of a service's jobs. */
export type JobHome = (settings: JobSettings, around: JobSurroundings) => JobStore;
