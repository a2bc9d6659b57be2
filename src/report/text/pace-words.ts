import type { TraversalResult } from '../../document/result.ts';
import { count, time } from '../../reading/words/quantities.ts';

/**
 * What a traversal's pace cost it, where that was more than the network did: the rate allowed to one address
 * held it up for longer than all else that it did took, and longer than the slowest path takes. Else undefined.
 */
export function paceWords(result: TraversalResult): string | undefined {
  const { durationMs, coldLatencyMs, options } = result;
  const heldUpMs = leastMs(result);
  if (heldUpMs <= Math.max(durationMs - heldUpMs, coldLatencyMs.worst)) return undefined;
  const rate = count(options.rate, 'query', 'queries');
  return `${time(heldUpMs)} of that or more to keep to ${rate} a second to one address: --rate allows more`;
}

/** The least time that the rate allows for all queries to the address that got the most. */
function leastMs({ exchanges, probes = [], options: { rate } }: TraversalResult): number {
  if (rate === 0) return 0;
  const queries = new Map<string, number>();
  for (const { server, attempts } of [...exchanges, ...probes])
    queries.set(server.address, (queries.get(server.address) ?? 0) + attempts);
  const most = Math.max(1, ...queries.values());
  return Math.floor((most - 1) / rate) * 1_000;
}
