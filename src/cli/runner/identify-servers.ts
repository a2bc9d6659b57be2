import type { TraversalResult } from '../../document/result.ts';
import { fingerprint } from '../../fingerprint/fingerprint.ts';
import { serversMet } from '../../fingerprint/servers-met.ts';
import type { Network } from './network.ts';
import type { RunObserver } from './observer.ts';

/** Asks the servers that a traversal met who they are, until it is stopped. */
export async function identifyServers(
  result: TraversalResult,
  { options, exchangeWith }: Network,
  { tell, signal }: RunObserver,
): Promise<void> {
  if (signal.aborted) return;
  // Some servers know their CHAOS names only in lower case.
  const exchange = exchangeWith({ ...options, nameCase: 'lower' });
  try {
    const servers = await Promise.all(
      serversMet(result).map(async (server) => {
        const rows = await fingerprint([server], exchange, signal);
        for (const row of rows) tell({ event: 'identified', server: row });
        return rows;
      }),
    );
    tell({ event: 'servers', status: 'ready', servers: servers.flat() });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
