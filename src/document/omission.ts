import type { Pausable } from '../pausable.ts';
import type { ExchangeRow } from './exchanges.ts';
import type { ProbeRow } from './probes.ts';

/** The octets that a row takes in the document. */
type OctetsOf = (row: ExchangeRow) => number;

/** A row without any records. It is marked, unless it had none. */
export function withoutRecords<R extends ExchangeRow | ProbeRow>(row: R): R {
  const { answer, authority, additional } = row;
  const had = [answer, authority, additional].some((section) => section !== undefined && section.length > 0);
  return had ? { ...row, ...NO_RECORDS, recordsOmitted: true } : row;
}

const NO_RECORDS = { answer: undefined, authority: undefined, additional: undefined };

/** A row without its additional section. It is marked, unless that was empty. */
function withoutAdditional(row: ExchangeRow): ExchangeRow {
  const { additional, ...rest } = row;
  return additional === undefined || additional.length === 0 ? row : { ...rest, recordsOmitted: true };
}

/**
 * Leaves out records so that rows take no more than `room` octets beyond what they take without any: of the
 * exchange with the largest reply its additional section, then its others too, then of the next. So as few
 * as possible lose records, and count as not asked on replay. Looks at no more rows than there is room for.
 */
export function* fitted(
  rows: readonly ExchangeRow[],
  room: number,
  octetsOf: OctetsOf,
): Pausable<readonly ExchangeRow[]> {
  const kept = rows.map(withoutRecords);
  const smallestFirst = [...rows.entries()].sort(([, a], [, b]) => (a.bytes ?? 0) - (b.bytes ?? 0));
  let left = room;
  for (const [at, row] of smallestFirst) {
    const bare = octetsOf(withoutRecords(row));
    const fitting = [row, withoutAdditional(row)]
      .map((form) => ({ form, more: octetsOf(form) - bare }))
      .find(({ more }) => more <= left);
    if (fitting !== undefined) {
      kept[at] = fitting.form;
      left -= fitting.more;
    }
    if (fitting?.form !== row) break;
    yield;
  }
  return kept;
}
