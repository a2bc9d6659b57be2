import type { TraversalFlags } from '../flags/traversal-flags.ts';
import type { Io } from '../process/io.ts';
import type { Runner } from './runner.ts';

/** The runner for a server; without one, the runner on this host. Throws a `CommandError` if there is no network. */
export async function openRunner(server: URL | undefined, flags: TraversalFlags, io: Io): Promise<Runner> {
  if (server === undefined) {
    const { openLocalRunner } = await import('./local.ts');
    return await openLocalRunner(flags, io);
  }
  const { remoteRunner } = await import('./remote.ts');
  return remoteRunner(server, flags);
}
