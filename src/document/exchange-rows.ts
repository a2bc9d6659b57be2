/* Exchanges as rows of a document, and read back from these. */

import { INVALID, type Invalid, type Note, type Shape, turned } from '../base/shape.ts';
import { object } from '../base/shape-object.ts';
import type { Records } from '../dns/record.ts';
import type { Exchanged, Failure, Probed, Reply } from '../exchange/exchanged.ts';
import type { Query, QueryRank } from '../exchange/query.ts';
import type { ShownNames } from '../explore/server-names.ts';
import {
  EXCHANGE,
  type ExchangeHead,
  type ExchangeRow,
  exchangeFields,
  listWith,
  PROBE,
  type ProbeRow,
  REPLIED,
  type RepliedRow,
} from './exchanges.ts';

/** An exchange without its record sections. `names` are the server's names as far as they are known. */
export function exchangeHead(
  id: string,
  exchanged: Exchanged,
  names: ShownNames,
  rank: QueryRank,
): ExchangeHead {
  const { shared, planned, source } = exchanged;
  const head = carriedOut(rank === 'cold' ? { id } : { id, purpose: rank }, exchanged, names);
  return { ...head, ...(shared && { shared }), ...(planned && { planned }), ...(source && { source }) };
}

/** A whole exchange. */
export function exchangeRow(
  id: string,
  exchanged: Exchanged,
  names: ShownNames,
  rank: QueryRank,
): ExchangeRow {
  return withEvidence(exchangeHead(id, exchanged, names, rank), exchanged);
}

/** A probe. */
export function probeRow(id: string, probed: Probed, names: ShownNames): ProbeRow {
  return withEvidence(carriedOut({ id, kind: probed.probe }, probed, names), probed);
}

/** What came of a question, and how, whoever was asked. */
export function repliedRow(exchanged: Exchanged): RepliedRow {
  return withEvidence(outcomeRow(exchanged), exchanged);
}

/** A server: its address and its names, as far as they are known and shown. */
export function serverRow(address: string, { names, namesOmitted }: ShownNames): ExchangeHead['server'] {
  return namesOmitted === undefined ? { address, names } : { address, names, namesOmitted };
}

function carriedOut<Row extends object>(row: Row, exchanged: Exchanged, names: ShownNames) {
  const { address, question } = exchanged;
  return { ...row, server: serverRow(address, names), question, ...outcomeRow(exchanged) };
}

function outcomeRow({ outcome, transport, tries, elapsedMs }: Exchanged) {
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

function withEvidence<Row extends object>(row: Row, { outcome, tries, traffic }: Exchanged) {
  if (outcome.kind !== 'reply') return { ...row, tries, traffic };
  const { answer, authority, additional } = outcome;
  return { ...row, tries, traffic, answer, authority, additional };
}

/** A row of the list `exchanges`, read back. */
interface SavedExchange {
  readonly query: Query;
  /** Absent if records were left out. */
  readonly exchanged?: Exchanged;
  /** Whether its reply counts. */
  readonly counts: boolean;
}

/** The list `exchanges`, to be read back. */
export const SAVED_EXCHANGES: Shape<readonly SavedExchange[]> = listWith(savedExchange, EXCHANGE);

function savedExchange(records: Shape<Records>): Shape<SavedExchange> {
  // Earlier versions may say other things of purpose and security.
  const { id, purpose, security, ...fields } = exchangeFields(records);
  return turned(object(fields), (saved, pointer, note) => {
    const { server, question, shared, planned, source, unused = false } = saved;
    const query = { address: server.address, question };
    if (saved.recordsOmitted) return { query, counts: false };
    const replied = repliedIn(saved, pointer, note);
    if (replied === INVALID) return INVALID;
    const origin = { ...(shared && { shared }), ...(planned && { planned }), ...(source && { source }) };
    return { query, exchanged: { ...query, ...replied, ...origin }, counts: !unused };
  });
}

/** A row of the list `probes`, to be read back: none if its records were left out. */
export const SAVED_PROBE: Shape<readonly Probed[]> = turned(PROBE, (saved, pointer, note) => {
  const { server, question, kind } = saved;
  if (saved.recordsOmitted) return [];
  const replied = repliedIn(saved, pointer, note);
  return replied === INVALID ? INVALID : [{ address: server.address, question, ...replied, probe: kind }];
});

/** What came of a question, to be read back. */
export const SAVED_REPLY = turned(REPLIED, repliedIn);

function repliedIn(row: RepliedRow, pointer: string, note: Note) {
  const outcome = outcomeIn(row, pointer, note);
  const { transport, tries, elapsedMs, traffic } = row;
  return outcome === INVALID ? INVALID : { outcome, transport, tries, elapsedMs, traffic };
}

function outcomeIn(row: RepliedRow, pointer: string, note: Note): Reply | Failure | Invalid {
  const { failure, failureDetail, rcode, flags, rttMs, bytes, edns, answer, authority, additional } = row;
  if (failure !== undefined)
    return { kind: failure, ...(failureDetail !== undefined && { detail: failureDetail }) };
  if (rcode === undefined || flags === undefined || rttMs === undefined || bytes === undefined)
    return note(pointer, 'must have a failure, or rcode, flags, rttMs and bytes');
  if (answer === undefined || authority === undefined || additional === undefined)
    return note(pointer, 'must have a failure, or the sections answer, authority and additional');
  const sections = { answer, authority, additional };
  return { kind: 'reply', rcode, flags, rttMs, bytes, ...(edns && { edns }), ...sections };
}
