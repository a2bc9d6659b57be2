import type { TraversalResult } from '../../document/result.ts';
import { count, large, octets, time } from '../../document/words/quantities.ts';
import { provenWords } from '../views/chain.ts';
import { stickyWords } from '../views/sticky.ts';
import { deviationSentences } from '../views/user-shares.ts';
import { groupHead, userGroups } from '../views/users.ts';
import type { Rows } from './table.ts';
import { fact, lastFacts } from './zone-rows.ts';

/** Which resolvers return the same, latency and counters; last what was not checked. */
export function factRows(result: TraversalResult): Rows {
  const { coldLatencyMs: latency, figures, durationMs } = result;
  const { servers, zones, packetsSent, packetsReceived, bytesSent, bytesReceived } = figures;
  const probed = result.probes === undefined ? '' : ` and ${count(result.probes.length, 'probe')}`;
  const asked = `${questionWords(result, besidesWords(figures))} to ${count(servers, 'address', 'addresses')}`;
  const sent = `${count(packetsSent, 'packet')} (${octets(bytesSent)}) sent`;
  const heard = `${packetsReceived} (${octets(bytesReceived)}) received`;
  const lost = figures.timeouts === 0 ? '' : `, ${count(figures.timeouts, 'timeout')}`;
  const pace = paceWords(result);
  return [
    ...viewFacts(result),
    ...stickyWords(result).map((words, at) => fact(at === 0 ? 'Busy resolvers' : '', words)),
    ...deviationSentences(result).map((words, at) => fact(at === 0 ? 'May differ' : '', words)),
    fact('Cold latency', latencyWords(latency)),
    fact('Paths', `${large(figures.paths)} through ${count(zones, 'zone')}`),
    fact('Asked', `${asked}${probed} in ${time(durationMs)}`),
    ...(pace === undefined ? [] : [fact('Pace', pace)]),
    fact('Traffic', `${sent}, ${heard}${lost}`),
    ...lastFacts(result),
  ];
}

/** The number of questions, and of those for which no packet was sent: "24 questions, 8 of them answered from zone files,". */
export function questionWords({ exchanges, figures }: TraversalResult, besides = ''): string {
  const planned = exchanges.filter((one) => one.planned).length;
  const parts = [
    ...(figures.sharedExchanges === undefined ? [] : [`${figures.sharedExchanges} of them shared`]),
    ...(planned === 0 ? [] : [`${planned} of them answered from zone files`]),
  ];
  const unsent = parts.map((part) => `, ${part}`).join('');
  return `${count(figures.exchanges, 'question')}${besides}${unsent}${unsent === '' ? '' : ','}`;
}

/** Which resolvers return the same, and whether that is proven. */
function viewFacts(result: TraversalResult): Rows {
  const [group, ...others] = userGroups(result);
  const proof = provenWords(result);
  const alike = group === undefined || group.kinds.length === 1 || others.length > 0 ? '' : groupHead(group);
  const parts = [
    ...(alike === '' ? [] : [`${alike} alike`]),
    ...(proof === undefined ? [] : [`DNSSEC: ${proof}`]),
  ];
  return parts.length === 0 ? [] : [fact('Resolvers', parts.join('; '))];
}

function latencyWords({ best, mean, worst }: TraversalResult['coldLatencyMs']): string {
  return `best ${time(best)}, mean ${time(mean)}, worst ${time(worst)}`;
}

/** How many questions only one view, or an option, asked for. */
function besidesWords({
  warmExchanges = 0,
  dnssecExchanges = 0,
  minimiseExchanges = 0,
  checkExchanges,
}: TraversalResult['figures']): string {
  const parts = [
    ...(warmExchanges === 0 ? [] : [`${warmExchanges} for warm resolvers`]),
    ...(dnssecExchanges === 0 ? [] : [`${dnssecExchanges} for DNSSEC`]),
    ...(minimiseExchanges === 0 ? [] : [`${minimiseExchanges} for minimised names`]),
    ...(checkExchanges === 0 ? [] : [`${checkExchanges} for --check`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/**
 * What a traversal's pace cost it, where that was more than the network did: the rate allowed to one address
 * held it up for longer than all else that it did took, and longer than the slowest path takes. Else undefined.
 */
function paceWords(result: TraversalResult): string | undefined {
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
