import type { JobError } from '../../document/api/jobs.ts';
import type { ListedServer } from '../../document/servers.ts';
import type { MetServer } from '../../fingerprint/servers-met.ts';
import type { Surroundings, TraversalRequest } from '../../traverse.ts';
import type { Evaluated } from './evaluation.ts';

/** What a client asked for. The root hints are the engine's own. */
export type JobRequest = Omit<TraversalRequest, 'hints'>;

/** How a traversal ended. A cancelled one is evaluated too, as far as it got. */
export type Traversed = Evaluated | { readonly kind: 'failed'; readonly error: JobError };

/** All that jobs know of the DNS. */
export interface Engine {
  /** Runs a traversal and emits its events but `complete`. Rejects only for a bug. */
  readonly traverse: (
    request: JobRequest,
    around: Pick<Surroundings, 'emit' | 'signal'>,
  ) => Promise<Traversed>;
  /**
   * Asks each server what software it runs, and resolves with the rows of the server list (svc-api(5)).
   * Rejects with the signal's reason when it is aborted.
   */
  readonly fingerprint: (met: readonly MetServer[], signal: AbortSignal) => Promise<readonly ListedServer[]>;
}
