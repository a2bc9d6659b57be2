import type { Fingerprint, ServerList } from '../../document/servers.ts';
import type { Clock } from '../../exchange/clock.ts';
import { readyList } from '../../fingerprint/server-list.ts';
import type { MetServer } from '../../fingerprint/servers-met.ts';
import { skipped, survey } from '../../fingerprint/survey.ts';
import type { Fingerprints } from './fingerprints.ts';

interface IdentifySurroundings {
  readonly fingerprints: Fingerprints;
  /** In whose turn they are asked. */
  readonly party: string;
  /** Packets that may be sent. */
  readonly packets: number;
  /** The most that asking one server takes. */
  readonly packetsForOne: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Is told the error when asking failed through a bug. */
  readonly failed: (error: unknown) => void;
}

/** Asks the servers a job met what software they run. Undefined once `signal` says that nobody wants to know. */
export async function identify(
  met: readonly MetServer[],
  { fingerprints, party, packets, packetsForOne, clock, signal, failed }: IdentifySurroundings,
): Promise<ServerList | undefined> {
  if (signal.aborted) return undefined;
  let left = packets;
  const pay = (sent: number) => {
    left -= sent;
  };
  const fingerprint = async (server: MetServer, stop: AbortSignal) => {
    if (left < packetsForOne) return skipped('limit');
    // Several are asked at once: each has set aside what it may need.
    left -= packetsForOne;
    try {
      return await fingerprints.of(server, { party, pay }, stop);
    } catch (error) {
      stop.throwIfAborted();
      failed(error);
      return FAILED;
    } finally {
      left += packetsForOne;
    }
  };
  const known = (address: string) => fingerprints.known(address);
  try {
    const servers = await survey(met, { fingerprint, known, clock, signal });
    return readyList(servers);
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}

const FAILED: Fingerprint = { versionBind: { status: 'error' } };
