import { RESULT_OCTETS } from '../octets.ts';
import type { Pausable } from '../pausable.ts';
import { elementPieces, type JsonForm, jsonPieces } from '../shape/json-pieces.ts';
import type { ExchangeRow } from './exchanges.ts';
import { type KeepChunk, OctetChunks } from './octet-chunks.ts';
import { fitted, withoutRecords } from './omission.ts';
import type { ProbeRow } from './probes.ts';

/** A result, or a line with one. */
export interface WithExchanges {
  readonly exchanges: readonly ExchangeRow[];
  readonly probes?: readonly ProbeRow[] | undefined;
}

/** A result as text in chunks, or that it takes too much even without the records of its exchanges. */
export type ResultOctets<Kept> =
  | { readonly kind: 'written'; readonly chunks: readonly Kept[] }
  | { readonly kind: 'too-large' };

/** Characters of JSON between two pauses. */
const CHARACTERS_AT_ONCE = 131_072;

/**
 * A result as JSON of at most so many octets. If it would take more, records of the largest exchanges are
 * left out, and of all probes (svc-api(5), RESULT). It is written piece by piece, so that neither the text nor its records are
 * ever in memory as a whole beside the octets.
 */
export function* resultOctets<Kept>(
  result: WithExchanges,
  form: JsonForm,
  keep: KeepChunk<Kept>,
  most: number = RESULT_OCTETS,
): Pausable<ResultOctets<Kept>> {
  const chunks = new OctetChunks(keep);
  if ((yield* write(result, form, chunks, most)) === 'beyond') {
    const cut = yield* cutDown(result, form, most);
    if (cut === undefined) return { kind: 'too-large' };
    chunks.clear();
    yield* write(cut, form, chunks, most);
  }
  return { kind: 'written', chunks: chunks.take() };
}

/** A result that is not too large, and its JSON if that was short enough to be kept. */
interface Fitting<T> {
  readonly result: T;
  readonly json: string | undefined;
}

/** The result, cut down as above where it has to be, to be written piece by piece; undefined if that does not help. */
export function* fittingResult<T extends WithExchanges>(
  result: T,
  form: JsonForm,
  most: number = RESULT_OCTETS,
): Pausable<Fitting<T> | undefined> {
  const count = new OctetCount();
  if ((yield* write(result, form, count, most)) === 'written') return { result, json: count.text };
  const cut = yield* cutDown(result, form, most);
  return cut && { result: cut, json: undefined };
}

function* cutDown<T extends WithExchanges>(result: T, form: JsonForm, most: number): Pausable<T | undefined> {
  const count = new OctetCount();
  const { exchanges, probes } = result;
  const short = probes === undefined ? result : { ...result, probes: probes.map(withoutRecords) };
  const bare = { ...short, exchanges: exchanges.map(withoutRecords) };
  if ((yield* write(bare, form, count, most)) === 'beyond') return undefined;
  const octetsOf = (row: ExchangeRow) => {
    let octets = 0;
    for (const piece of elementPieces(row, form)) octets += Buffer.byteLength(piece);
    return octets;
  };
  return { ...short, exchanges: yield* fitted(exchanges, most - count.length, octetsOf) };
}

/** Stops beyond `most`. */
function* write(
  document: WithExchanges,
  form: JsonForm,
  octets: OctetChunks<unknown> | OctetCount,
  most: number,
): Pausable<'written' | 'beyond'> {
  let since = 0;
  for (const piece of jsonPieces(document, form)) {
    octets.add(piece);
    if (octets.length > most) return 'beyond';
    since += piece.length;
    if (since < CHARACTERS_AT_ONCE) continue;
    since = 0;
    yield;
  }
  return 'written';
}

/** Octets of a text that is kept once it is written. Most results have fewer, and need not be written again. */
const MOST_KEPT = 256 * 1_024;

/** Counts octets, and keeps the text while it is short. */
class OctetCount {
  #length = 0;
  #text: string | undefined = '';

  get length(): number {
    return this.#length;
  }

  /** All that was added, if it is short. */
  get text(): string | undefined {
    return this.#text;
  }

  add(text: string): void {
    this.#length += Buffer.byteLength(text);
    if (this.#text !== undefined) this.#text = this.#length > MOST_KEPT ? undefined : this.#text + text;
  }
}
