import { elementPieces, type JsonForm, jsonPieces } from '../base/json.ts';
import { octetsText, RESULT_OCTETS } from '../base/octets.ts';
import type { Failed, JobError } from './api/jobs.ts';
import type { ExchangeRow, ProbeRow } from './exchanges.ts';

/**
 * A result as JSON of at most so many octets. If it would take more, records of the largest exchanges are
 * left out, and of all probes (svc-api(5), RESULT). It is written piece by piece, so that neither the text nor its records are
 * ever in memory as a whole beside the octets.
 */
export function resultOctets<Kept>(
  result: WithExchanges,
  form: JsonForm,
  keep: KeepChunk<Kept>,
  most: number = RESULT_OCTETS,
): ResultOctets<Kept> {
  const chunks = new OctetChunks(keep);
  if (write(result, form, chunks, most) === 'beyond') {
    const cut = cutDown(result, form, most);
    if (cut === undefined) return { kind: 'failed', error: TOO_LARGE };
    chunks.clear();
    write(cut, form, chunks, most);
  }
  return { kind: 'written', chunks: chunks.take() };
}

/** A result, or a line with one. */
interface WithExchanges {
  readonly exchanges: readonly ExchangeRow[];
  readonly probes?: readonly ProbeRow[] | undefined;
}

/** A result as text in chunks, or that it takes too much even without the records of its exchanges. */
export type ResultOctets<Kept> = { readonly kind: 'written'; readonly chunks: readonly Kept[] } | Failed;

/** Why there is no result that is too large for anybody. */
const TOO_LARGE: JobError = {
  title: 'Too large a result',
  detail: `The result would have more than ${octetsText(RESULT_OCTETS)}, even without the records of its exchanges.`,
};

/** The result, cut down as above; undefined if that does not help. */
function cutDown<T extends WithExchanges>(result: T, form: JsonForm, most: number): T | undefined {
  const count = new OctetChunks(() => undefined);
  const { exchanges, probes } = result;
  const short = probes === undefined ? result : { ...result, probes: probes.map(withoutRecords) };
  const bare = { ...short, exchanges: exchanges.map(withoutRecords) };
  if (write(bare, form, count, most) === 'beyond') return undefined;
  const octetsOf = (row: ExchangeRow) => {
    let octets = 0;
    for (const piece of elementPieces(row, form)) octets += Buffer.byteLength(piece);
    return octets;
  };
  return { ...short, exchanges: fitted(exchanges, most - count.length, octetsOf) };
}

/** Stops beyond `most`. */
function write(
  document: WithExchanges,
  form: JsonForm,
  octets: OctetChunks<unknown>,
  most: number,
): 'written' | 'beyond' {
  for (const piece of jsonPieces(document, form)) {
    octets.add(piece);
    if (octets.length > most) return 'beyond';
  }
  return 'written';
}

/** The octets that a row takes in the document. */
type OctetsOf = (row: ExchangeRow) => number;

/** A row without any records. It is marked, unless it had none. */
function withoutRecords<R extends ExchangeRow | ProbeRow>(row: R): R {
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
function fitted(rows: readonly ExchangeRow[], room: number, octetsOf: OctetsOf): readonly ExchangeRow[] {
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
  }
  return kept;
}

/** Octets of the first chunk, and of each after it. */
const FIRST_CHUNK = 64 * 1_024;
const CHUNK = 1_024 * 1_024;

const encoder = new TextEncoder();

/** Makes what is kept of a chunk, whose memory the next one takes. */
type KeepChunk<Kept> = (octets: Uint8Array<ArrayBuffer>) => Kept;

/** Keeps the octets themselves. */
export const keepOctets: KeepChunk<Uint8Array<ArrayBuffer>> = (octets) => octets.slice();

/** Text as UTF-8, in chunks, so that growing never copies what is there. */
export class OctetChunks<Kept> {
  readonly #keep: KeepChunk<Kept>;
  #kept: Kept[] = [];
  #chunk = new Uint8Array(FIRST_CHUNK);
  #used = 0;
  #length = 0;

  constructor(keep: KeepChunk<Kept>) {
    this.#keep = keep;
  }

  /** Octets in all. */
  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    for (let left = text; ; ) {
      const { read, written } = encoder.encodeInto(left, this.#chunk.subarray(this.#used));
      this.#used += written;
      this.#length += written;
      if (read === left.length) return;
      left = left.slice(read);
      this.#endChunk();
      if (this.#chunk.length < CHUNK) this.#chunk = new Uint8Array(CHUNK);
    }
  }

  /** Begins again, in the same memory. */
  clear(): void {
    this.#kept = [];
    this.#used = 0;
    this.#length = 0;
  }

  /** All chunks. Nothing may be added after that. */
  take(): readonly Kept[] {
    if (this.#used > 0) this.#endChunk();
    return this.#kept;
  }

  /** A character does not span two chunks, so one can be not quite full. */
  #endChunk(): void {
    this.#kept.push(this.#keep(this.#chunk.subarray(0, this.#used)));
    this.#used = 0;
  }
}
