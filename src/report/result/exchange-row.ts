import type { ExchangeHead, ExchangeRow } from '../../document/exchanges.ts';
import type { Exchanged, QueryRank } from '../../exchanged.ts';
import type { ShownNames } from '../../explore/server-names.ts';

/** An exchange without its record sections. `names` are the server's names as far as they are known. */
export function exchangeHead(
  id: string,
  exchanged: Exchanged,
  names: ShownNames,
  rank: QueryRank,
): ExchangeHead {
  const { address, question, outcome, transport, tries, elapsedMs } = exchanged;
  const server = serverRow(address, names);
  const purpose = rank === 'cold' ? {} : { purpose: rank };
  const head = { id, ...purpose, server, question, transport, attempts: tries.length, elapsedMs };
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
  const { outcome, tries, traffic } = exchanged;
  const row = { ...exchangeHead(id, exchanged, names, rank), tries, traffic };
  if (outcome.kind !== 'reply') return row;
  const { answer, authority, additional } = outcome;
  return { ...row, answer, authority, additional };
}

/** A server: its address and its names, as far as they are known and shown. */
export function serverRow(address: string, { names, namesOmitted }: ShownNames): ExchangeHead['server'] {
  return { address, names, ...(namesOmitted === undefined ? {} : { namesOmitted }) };
}
