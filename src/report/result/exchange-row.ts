import type { ExchangeHead, ExchangeRow } from '../../document/exchanges.ts';
import type { ProbeRow } from '../../document/probes.ts';
import type { Exchanged, Probed, QueryRank } from '../../exchanged.ts';
import type { ShownNames } from '../../explore/server-names.ts';

/** An exchange without its record sections. `names` are the server's names as far as they are known. */
export function exchangeHead(
  id: string,
  exchanged: Exchanged,
  names: ShownNames,
  rank: QueryRank,
): ExchangeHead {
  const purpose = rank === 'cold' ? {} : { purpose: rank };
  const shared = exchanged.shared ? { shared: exchanged.shared } : {};
  return { id, ...purpose, ...carriedOut(exchanged, names), ...shared };
}

function carriedOut(
  exchanged: Exchanged,
  names: ShownNames,
): Omit<ExchangeHead, 'id' | 'purpose' | 'shared'> {
  const { address, question } = exchanged;
  return { server: serverRow(address, names), question, ...repliedWith(exchanged) };
}

/** How a question went, whoever was asked. */
export function repliedWith({
  outcome,
  transport,
  tries,
  elapsedMs,
}: Exchanged): Omit<ExchangeHead, 'id' | 'purpose' | 'server' | 'question' | 'shared'> {
  const head = { transport, attempts: tries.length, elapsedMs };
  if (outcome.kind !== 'reply') {
    const { kind, detail } = outcome;
    return { ...head, failure: kind, ...(detail === undefined ? {} : { failureDetail: detail }) };
  }
  const { rcode, flags, rttMs, bytes, edns } = outcome;
  return { ...head, rcode, flags, rttMs, bytes, ...(edns === undefined ? {} : { edns }) };
}

/** A whole exchange: what `readResult` makes the recorded exchange from again. */
export function exchangeRow(
  id: string,
  exchanged: Exchanged,
  names: ShownNames,
  rank: QueryRank,
): ExchangeRow {
  return { ...exchangeHead(id, exchanged, names, rank), ...evidence(exchanged) };
}

/** A probe: what `readResult` makes the recorded one from again. */
export function probeRow(id: string, probed: Probed, names: ShownNames): ProbeRow {
  return { id, kind: probed.probe, ...carriedOut(probed, names), ...evidence(probed) };
}

/** What `readResult` needs besides. */
export function evidence({ outcome, tries, traffic }: Exchanged) {
  if (outcome.kind !== 'reply') return { tries, traffic };
  const { answer, authority, additional } = outcome;
  return { tries, traffic, answer, authority, additional };
}

/** A server: its address and its names, as far as they are known and shown. */
export function serverRow(address: string, { names, namesOmitted }: ShownNames): ExchangeHead['server'] {
  return { address, names, ...(namesOmitted === undefined ? {} : { namesOmitted }) };
}
