import type { ListedServer } from '../../document/servers.ts';
import type { MetServer } from '../../fingerprint/servers-met.ts';
import type { TraversalOptions } from '../../options.ts';
import type { TraversalTask } from '../../work/messages.ts';
import type { WorkerPool } from '../../work/pool.ts';

/** What a client asked for. The root hints are the engine's own. */
export type JobRequest = TraversalTask;

/** All that jobs know of the DNS. */
export interface Engine extends Pick<WorkerPool, 'traverse' | 'close'> {
  /**
   * Asks each server what software it runs, and resolves with the rows of the server list (svc-api(5)).
   * Rejects with the signal's reason when it is aborted.
   */
  readonly fingerprint: (met: readonly MetServer[], signal: AbortSignal) => Promise<readonly ListedServer[]>;
}

/** The engine that asks name servers. Fingerprinting uses the service's options as they are. */
export function createEngine(pool: WorkerPool, options: TraversalOptions): Engine {
  const { traverse, identify, close } = pool;
  return { traverse, close, fingerprint: (met, signal) => identify(met, options, signal) };
}
