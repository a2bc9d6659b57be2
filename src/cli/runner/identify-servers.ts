import { systemClock } from '../../base/clock.ts';
import type { TraversalResult } from '../../document/result.ts';
import { fingerprint } from '../../traversal/fingerprint.ts';
import { serversMet } from '../../traversal/servers-met.ts';
import { readyList, survey } from '../../traversal/survey.ts';
import type { Network } from './network.ts';
import type { RunObserver } from './runner.ts';

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
    const servers = await survey(serversMet(result), {
      fingerprint: (server, stop) => fingerprint(server, exchange, stop),
      clock: systemClock,
      signal,
      tell: (server) => tell?.({ event: 'identified', server }),
    });
    tell?.({ event: 'servers', ...readyList(servers) });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
