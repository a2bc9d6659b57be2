import type { TraversalResult } from '../../document/result.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import { warmWords } from '../../reading/warm-words.ts';
import { count, large, octets, time } from '../../reading/words/quantities.ts';
import type { Detail } from '../../reading/words/shortened.ts';
import type { Cell, Rows, Style } from '../table/table.ts';
import { paceWords } from './pace-words.ts';

/** The resolver view, the cold latency and the counters, one line each. */
export function factRows(result: TraversalResult, detail: Detail): Rows {
  const { resolver, coldLatencyMs: latency, stats, durationMs } = result;
  const { exchanges, servers, zones, packetsSent, packetsReceived, bytesSent, bytesReceived } = stats;
  const forCheck = stats.checkExchanges === 0 ? '' : ` (${stats.checkExchanges} for --check)`;
  const shared = stats.sharedExchanges === undefined ? '' : `, ${stats.sharedExchanges} of them shared,`;
  const probed = result.probes === undefined ? '' : ` and ${count(result.probes.length, 'probe')}`;
  const asked = `${count(exchanges, 'question')}${forCheck}${shared} to ${count(servers, 'address', 'addresses')}`;
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
    fact(
      'Cold latency',
      `best ${time(latency.best)}, mean ${time(latency.mean)}, worst ${time(latency.worst)}`,
    ),
    fact('Paths', `${large(stats.paths)} through ${count(zones, 'zone')}`),
    fact('Asked', `${asked}${probed} in ${time(durationMs)}`),
    ...(pace === undefined ? [] : [fact('Pace', pace)]),
    fact('Traffic', `${sent}, ${heard}${lost}`),
  ];
}

function fact(title: string, text: string, style: Style = 'faint'): readonly Cell[] {
  return [{ text: title, style }, { text }];
}
