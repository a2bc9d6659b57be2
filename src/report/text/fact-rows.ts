import type { TraversalResult } from '../../document/result.ts';
import { count, large, octets, time } from '../../document/words/quantities.ts';
import type { Detail } from '../../document/words/shortened.ts';
import { validatedWords, warmWords } from '../views/warm-and-validating.ts';
import { summaryLine } from '../views/wording.ts';
import type { Cell, Rows, Style } from './table.ts';

/** The resolver view, the cold latency and the counters, one line each. */
export function factRows(result: TraversalResult, detail: Detail): Rows {
  const { options, resolver, validating, coldLatencyMs: latency, stats, durationMs } = result;
  const { exchanges, servers, zones, packetsSent, packetsReceived, bytesSent, bytesReceived } = stats;
  const shared = stats.sharedExchanges === undefined ? '' : `, ${stats.sharedExchanges} of them shared,`;
  const probed = result.probes === undefined ? '' : ` and ${count(result.probes.length, 'probe')}`;
  const asked = `${count(exchanges, 'question')}${besidesWords(stats)}${shared} to ${count(servers, 'address', 'addresses')}`;
  const sent = `${count(packetsSent, 'packet')} (${octets(bytesSent)}) sent`;
  const heard = `${packetsReceived} (${octets(bytesReceived)}) received`;
  const lost = stats.timeouts === 0 ? '' : `, ${count(stats.timeouts, 'timeout')}`;
  const cold = summaryLine(resolver.summary, detail);
  const warm = warmWords(result, detail);
  const pace = paceWords(result);
  return [
    ...(warm === undefined
      ? [fact('A resolver gets', cold, 'strong')]
      : [fact('A cold resolver gets', cold, 'strong'), fact('Once warm', warm, 'strong')]),
    ...validatingFacts(result, detail, warm === undefined ? 'Validating' : 'Cold validating'),
    ...(options.at === undefined ? [] : [fact('Judged as of', options.at)]),
    fact('Cold latency', latencyWords(latency)),
    ...(validating === undefined
      ? []
      : [fact('When validating', validatingLatencyWords(validating.coldLatencyMs, latency))]),
    fact('Paths', `${large(stats.paths)} through ${count(zones, 'zone')}`),
    fact('Asked', `${asked}${probed} in ${time(durationMs)}`),
    ...(pace === undefined ? [] : [fact('Pace', pace)]),
    fact('Traffic', `${sent}, ${heard}${lost}`),
  ];
}

/** What validating resolvers' users get; one line where it makes no difference whether the resolver retries. */
function validatingFacts({ validating }: TraversalResult, detail: Detail, who: string): Rows {
  if (validating === undefined) return [];
  const tryingOn = validatedWords(validating, detail);
  const firstTry = validatedWords(validating.firstTry, detail);
  if (tryingOn === firstTry) return [fact(`${who} resolvers`, tryingOn, 'strong')];
  return [fact(`${who}, with retry`, tryingOn, 'strong'), fact(`${who}, without retry`, firstTry, 'strong')];
}

function latencyWords({ best, mean, worst }: TraversalResult['coldLatencyMs']): string {
  return `best ${time(best)}, mean ${time(mean)}, worst ${time(worst)}`;
}

/** Where that is less, it is not because proof were for nothing: svc-model(7), VALIDATING. */
function validatingLatencyWords(
  validating: TraversalResult['coldLatencyMs'],
  cold: TraversalResult['coldLatencyMs'],
): string {
  const isLess = validating.mean < cold.mean || validating.worst < cold.worst;
  const words = latencyWords(validating);
  return isLess ? `${words}; counts only the replies that it uses` : words;
}

/** How many questions were asked for one of the other views alone. */
function besidesWords(stats: TraversalResult['stats']): string {
  const { warmExchanges = 0, dnssecExchanges = 0, checkExchanges } = stats;
  const parts = [
    ...(warmExchanges === 0 ? [] : [`${warmExchanges} for the warm walk`]),
    ...(dnssecExchanges === 0 ? [] : [`${dnssecExchanges} to validate`]),
    ...(checkExchanges === 0 ? [] : [`${checkExchanges} for --check`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function fact(title: string, text: string, style: Style = 'faint'): readonly Cell[] {
  return [{ text: title, style }, { text }];
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
