import type { Clock } from '../../exchange/clock.ts';
import type { Engine } from '../engine/engine.ts';
import type { Fingerprints } from './fingerprints.ts';
import { identify } from './identify.ts';
import type { Job } from './job.ts';
import type { RunTrace } from './run.ts';

interface AskingSurroundings {
  readonly engine: Pick<Engine, 'fingerprintPackets'>;
  readonly clock: Clock;
  readonly fingerprints: Fingerprints;
  /** Is told the error when asking failed through a bug. */
  readonly failed: (job: Job, error: unknown) => void;
}

/**
 * Asks the servers that a job met what they are, with the packets that its traversal left. The list is JSON text; undefined once
 * `signal` says that nobody wants to know.
 */
export async function serversOf(
  job: Job,
  { met, packets: sent }: RunTrace,
  { engine, clock, fingerprints, failed }: AskingSurroundings,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const { maxPackets = Number.POSITIVE_INFINITY } = job.request.options;
  const list = await identify(met, {
    fingerprints,
    party: job.party,
    packets: maxPackets - sent,
    packetsForOne: engine.fingerprintPackets,
    clock,
    signal,
    failed: (error) => failed(job, error),
  });
  return list === undefined ? undefined : Buffer.from(JSON.stringify(list));
}
