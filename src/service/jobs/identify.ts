import type { ListedServer, ServerList } from '../../document/servers.ts';
import type { MetServer } from '../../fingerprint/servers-met.ts';
import type { Engine } from '../engine/engine.ts';
import type { Slots } from '../slots.ts';

/** What identifying servers needs from outside. */
interface IdentifySurroundings {
  readonly engine: Engine;
  readonly slots: Slots;
  readonly signal: AbortSignal;
  /** Is told the error when asking failed through a bug. */
  readonly failed: (error: unknown) => void;
}

/** Asks the servers a job met what software they run. Undefined once `signal` says that nobody wants to know. */
export async function identify(
  met: readonly MetServer[],
  around: IdentifySurroundings,
): Promise<ServerList | undefined> {
  const servers = met.length === 0 ? [] : await ask(met, around);
  return servers === undefined ? undefined : { status: 'ready', servers };
}

async function ask(
  met: readonly MetServer[],
  { engine, slots, signal, failed }: IdentifySurroundings,
): Promise<readonly ListedServer[] | undefined> {
  const release = await slots.take({ party: '', most: Number.POSITIVE_INFINITY }, signal);
  if (release === undefined) return undefined;
  try {
    return await engine.fingerprint(met, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    failed(error);
    return met.map((server) => ({ ...server, versionBind: { status: 'error' } }));
  } finally {
    release();
  }
}
