import type { ApiAnswer } from '../../client/failure.ts';
import type { ServerList } from '../../document/servers.ts';
import type { StreamListener } from '../api/job-stream.ts';
import type { FetchedJob } from '../api/jobs.ts';

/** The I/O and the clock for following a job. */
export interface FollowTools {
  readonly fetchJob: (id: string, signal: AbortSignal) => Promise<ApiAnswer<FetchedJob>>;
  readonly fetchServers: (id: string, signal: AbortSignal) => Promise<ApiAnswer<ServerList | 'pending'>>;
  readonly openStream: (id: string, listener: StreamListener) => () => void;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since some moment. */
  readonly now: () => number;
}
