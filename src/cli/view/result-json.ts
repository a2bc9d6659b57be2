import { fittingResult, type WithExchanges } from '../../document/result-octets.ts';
import { octetsText, RESULT_OCTETS } from '../../octets.ts';
import { runInSlices } from '../../pausable.ts';
import { type JsonForm, jsonPieces } from '../../shape/json-pieces.ts';
import { notDone } from '../process/command-error.ts';

/** A result, or a line with one, as JSON in chunks that are made when they are written; undefined if it would be too large. */
async function resultJson(result: WithExchanges, form: JsonForm): Promise<Iterable<string> | undefined> {
  const fitting = await runInSlices(fittingResult(result, form));
  if (fitting === undefined) return undefined;
  return fitting.json === undefined ? chunked(jsonPieces(fitting.result, form)) : [fitting.json];
}

/** The same, for a result that is all there is to write. Throws a `CommandError` if it would be too large. */
export async function wholeResultJson(result: WithExchanges, form: JsonForm): Promise<Iterable<string>> {
  const chunks = await resultJson(result, form);
  if (chunks === undefined) throw notDone(TOO_LARGE);
  return chunks;
}

/** What to say of a result that would be too large. */
const TOO_LARGE = `the result would have more than ${octetsText(RESULT_OCTETS)}, even without the records of its exchanges`;

/** Characters that are written at once. */
const CHUNK = 65_536;

function* chunked(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
