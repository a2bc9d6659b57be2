import type { ExchangeHead, ExchangeRow } from '../../document/exchanges.ts';
import type { ProbeRow } from '../../document/saved-exchanges.ts';
import type { Exchanged, Probed } from '../../exchange/exchanged.ts';
import type { QueryRank } from '../../exchange/query.ts';
import type { ShownNames } from '../../explore/server-names.ts';

/** An exchange without its record sections. `names` are the server's names as far as they are known. */
export function exchangeHead(
  id: string,
  exchanged: Exchanged,
  names: ShownNames,
  rank: QueryRank,
): ExchangeHead {
  const { shared } = exchanged;
  const head = carriedOut(rank === 'cold' ? { id } : { id, purpose: rank }, exchanged, names);
  return shared === undefined ? head : { ...head, shared };
}

/** A whole exchange: what `readResult` makes the recorded exchange from again. */
export function exchangeRow(
  id: string,
  exchanged: Exchanged,
  names: ShownNames,
  rank: QueryRank,
): ExchangeRow {
  return withEvidence(exchangeHead(id, exchanged, names, rank), exchanged);
}

/** A probe: what `readResult` makes the recorded one from again. */
export function probeRow(id: string, probed: Probed, names: ShownNames): ProbeRow {
  return withEvidence(carriedOut({ id, kind: probed.probe }, probed, names), probed);
}

function carriedOut<Row extends object>(row: Row, exchanged: Exchanged, names: ShownNames) {
  const { address, question } = exchanged;
  return { ...row, server: serverRow(address, names), question, ...replyRow(exchanged) };
}

/** How a question went, whoever was asked. */
export function replyRow({ outcome, transport, tries, elapsedMs }: Exchanged) {
  const attempts = tries.length;
  if (outcome.kind !== 'reply') {
    const { kind, detail } = outcome;
    const failed = { transport, attempts, elapsedMs, failure: kind };
    return detail === undefined ? failed : { ...failed, failureDetail: detail };
  }
  const { rcode, flags, rttMs, bytes, edns } = outcome;
  const replied = { transport, attempts, elapsedMs, rcode, flags, rttMs, bytes };
  return edns === undefined ? replied : { ...replied, edns };
}

/** Adds what `readResult` needs besides. */
export function withEvidence<Row extends object>(row: Row, { outcome, tries, traffic }: Exchanged) {
  if (outcome.kind !== 'reply') return { ...row, tries, traffic };
  const { answer, authority, additional } = outcome;
  return { ...row, tries, traffic, answer, authority, additional };
}

/** A server: its address and its names, as far as they are known and shown. */
export function serverRow(address: string, { names, namesOmitted }: ShownNames): ExchangeHead['server'] {
  return namesOmitted === undefined ? { address, names } : { address, names, namesOmitted };
}
