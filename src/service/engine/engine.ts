import { mostPackets } from '../../fingerprint/fingerprint.ts';
import type { MetServer } from '../../fingerprint/servers-met.ts';
import type { TraversalOptions } from '../../options.ts';
import type { Identified, TraversalTask } from '../../work/messages.ts';
import type { WorkerPool } from '../../work/pool.ts';

/** The question and options of a request. The root hints are the engine's own. */
export type JobRequest = TraversalTask;

/** All that jobs know of the DNS. */
export interface Engine extends Pick<WorkerPool, 'traverse' | 'close'> {
  /**
   * Asks a server what software it runs. Rejects with the signal's reason when it is aborted, else for a
   * bug.
   */
  readonly fingerprint: (server: MetServer, signal: AbortSignal) => Promise<Identified>;
  /** The most packets that takes. */
  readonly fingerprintPackets: number;
}

/** The engine that asks name servers. Fingerprinting uses the service's options as they are. */
export function createEngine(pool: WorkerPool, options: TraversalOptions): Engine {
  const { traverse, identify, close } = pool;
  return {
    traverse,
    close,
    fingerprint: (server, signal) => identify(server, options, signal),
    fingerprintPackets: mostPackets(options.retries),
  };
}
