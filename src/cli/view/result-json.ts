import { resultOctets, type WithExchanges } from '../../document/result-octets.ts';
import { octetsText, RESULT_OCTETS } from '../../octets.ts';
import { runInSlices } from '../../pausable.ts';
import type { JsonForm } from '../../shape/json-pieces.ts';
import { notDone } from '../process/command-error.ts';
import { PRETTY_JSON } from '../process/json.ts';

/** A result, or a line with one, as JSON in chunks; undefined if it would be too large. */
export async function resultJson(
  result: WithExchanges,
  form: JsonForm,
): Promise<readonly Uint8Array[] | undefined> {
  const text = await runInSlices(resultOctets(result, form));
  return text.kind === 'written' ? text.chunks : undefined;
}

/** A result as JSON for people to read, in chunks. Throws a `CommandError` if it would be too large. */
export async function prettyResult(result: WithExchanges): Promise<readonly Uint8Array[]> {
  const chunks = await resultJson(result, PRETTY_JSON);
  if (chunks === undefined) throw notDone(TOO_LARGE);
  return chunks;
}

/** What to say of a result that would be too large. */
export const TOO_LARGE = `the result would have more than ${octetsText(RESULT_OCTETS)}, even without the records of its exchanges`;
