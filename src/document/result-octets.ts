import { RESULT_OCTETS } from '../octets.ts';
import { type Pausable, Pauses } from '../pausable.ts';
import { elementText, type JsonForm, jsonPieces } from '../shape/json-pieces.ts';
import type { ExchangeRow } from './exchanges.ts';
import { fitted, withoutRecords } from './omission.ts';
import type { ProbeRow } from './probes.ts';

/** A result, or a line with one. */
export interface WithExchanges {
  readonly exchanges: readonly ExchangeRow[];
  readonly probes?: readonly ProbeRow[] | undefined;
}

/** A result as text, or that it takes too much even without the records of its exchanges. */
export type ResultOctets =
  | { readonly kind: 'written'; readonly octets: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'too-large' };

/** Texts of so many octets are kept while they are counted; larger ones are made again. */
const KEPT_OCTETS = 8 * 1_024 * 1_024;

/** Characters of JSON that are as much work as a step of evaluating. */
const CHARACTERS_PER_STEP = 16_384;

/**
 * A result as JSON of at most so many octets. If it would take more, records of the largest exchanges are
 * left out, and of all probes (svc-api(5), RESULT). It is written piece by piece, so that neither the text nor its records are
 * ever in memory as a whole beside the octets.
 */
export function* resultOctets(
  result: WithExchanges,
  form: JsonForm,
  most: number = RESULT_OCTETS,
): Pausable<ResultOctets> {
  const whole = yield* measured(result, form, most);
  if (whole !== 'beyond') return yield* written(result, form, whole);
  const { exchanges, probes } = result;
  const short = probes === undefined ? result : { ...result, probes: probes.map(withoutRecords) };
  const bare = yield* measured({ ...short, exchanges: exchanges.map(withoutRecords) }, form, most);
  if (bare === 'beyond') return { kind: 'too-large' };
  const octetsOf = (row: ExchangeRow) => Buffer.byteLength(elementText(row, form));
  const { rows, left } = yield* fitted(exchanges, most - bare.octets, octetsOf);
  return yield* written({ ...short, exchanges: rows }, form, { octets: most - left });
}

/** How many octets a text takes, with the text if they are few. */
interface Measured {
  readonly octets: number;
  readonly text?: string | undefined;
}

/** Stops counting beyond `most`. */
function* measured(document: WithExchanges, form: JsonForm, most: number): Pausable<Measured | 'beyond'> {
  const pauses = new Pauses();
  let octets = 0;
  let texts: string[] = [];
  for (const piece of jsonPieces(document, form)) {
    octets += Buffer.byteLength(piece);
    if (octets > most) return 'beyond';
    if (octets <= KEPT_OCTETS) texts.push(piece);
    else texts = [];
    if (pauses.due(piece.length / CHARACTERS_PER_STEP)) yield;
  }
  return { octets, text: octets <= KEPT_OCTETS ? texts.join('') : undefined };
}

function* written(document: WithExchanges, form: JsonForm, size: Measured): Pausable<ResultOctets> {
  const encoder = new TextEncoder();
  if (size.text !== undefined) return { kind: 'written', octets: encoder.encode(size.text) };
  const octets = new Uint8Array(size.octets);
  const pauses = new Pauses();
  let at = 0;
  for (const piece of jsonPieces(document, form)) {
    at += encoder.encodeInto(piece, octets.subarray(at)).written;
    if (pauses.due(piece.length / CHARACTERS_PER_STEP)) yield;
  }
  return { kind: 'written', octets };
}
