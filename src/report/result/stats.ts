import type { Stats } from '../../document/result.ts';
import type { Evaluation } from '../../evaluate/evaluate.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { QueryRank } from '../../exchange/query.ts';
import type { ReplayedExploration } from '../../explore/hear-again.ts';
import type { Recording } from '../../explore/recording.ts';

/** What was counted, but for the paths. */
export function statsOf(
  recording: Recording,
  evaluation: Evaluation,
  known: ReplayedExploration,
): Omit<Stats, 'paths'> {
  const exchanges = [...recording.exchanges.values()];
  const total = (part: keyof Exchanged['traffic']) =>
    [...exchanges, ...recording.probes].reduce((sum, { traffic }) => sum + traffic[part], 0);
  const madeFor = (rank: QueryRank) =>
    [...recording.exchanges.keys()].filter((key) => known.rankOf(key) === rank).length;
  return {
    exchanges: exchanges.length,
    ...sharedAmong(exchanges),
    checkExchanges: madeFor('check'),
    ...(recording.scope.dnssec === undefined ? {} : { dnssecExchanges: madeFor('dnssec') }),
    unused: [...recording.exchanges.keys()].filter((key) => recording.unasked.has(key)).length,
    packetsSent: total('packetsSent'),
    packetsReceived: total('packetsReceived'),
    bytesSent: total('bytesSent'),
    bytesReceived: total('bytesReceived'),
    timeouts: exchanges.reduce((sum, { tries }) => sum + tries.filter(isTimeout).length, 0),
    servers: new Set(exchanges.map(({ address }) => address)).size,
    zones: new Set([...evaluation.passes.keys()].map(({ delegation }) => delegation.zone)).size,
  };
}

function sharedAmong(exchanges: readonly Exchanged[]): Pick<Stats, 'sharedExchanges'> {
  const count = exchanges.filter(({ shared }) => shared).length;
  return count === 0 ? {} : { sharedExchanges: count };
}

function isTimeout({ outcome }: Exchanged['tries'][number]): boolean {
  return outcome.kind === 'timeout';
}
