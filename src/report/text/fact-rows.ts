import type { TraversalResult } from '../../document/result.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import { validatedWords } from '../../reading/validated/validation-words.ts';
import { warmWords } from '../../reading/warm-words.ts';
import { count, large, octets, time } from '../../reading/words/quantities.ts';
import type { Detail } from '../../reading/words/shortened.ts';
import type { Cell, Rows, Style } from '../table/table.ts';
import { paceWords } from './pace-words.ts';

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
    ...validatingFacts(
      result,
      detail,
      warm === undefined ? 'One that validates' : 'A cold one that validates',
    ),
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
function validatingFacts({ validating }: TraversalResult, detail: Detail, title: string): Rows {
  if (validating === undefined) return [];
  const tryingOn = validatedWords(validating, detail);
  const firstTry = validatedWords(validating.firstTry, detail);
  const first = fact(title, tryingOn, 'strong');
  return tryingOn === firstTry ? [first] : [first, fact('If it never retries', firstTry, 'strong')];
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

/** How many questions were asked for an option alone. */
function besidesWords({ checkExchanges, dnssecExchanges = 0 }: TraversalResult['stats']): string {
  const parts = [
    ...(dnssecExchanges === 0 ? [] : [`${dnssecExchanges} for --dnssec`]),
    ...(checkExchanges === 0 ? [] : [`${checkExchanges} for --check`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function fact(title: string, text: string, style: Style = 'faint'): readonly Cell[] {
  return [{ text: title, style }, { text }];
}
