import { resultOctets, type WithExchanges } from '../../document/result-octets.ts';
import { octetsText, RESULT_OCTETS } from '../../octets.ts';
import { runInSlices } from '../../pausable.ts';
import type { JsonForm } from '../../shape/json-pieces.ts';
import { notDone } from '../process/command-error.ts';
import { PRETTY_JSON } from '../process/json.ts';

/** A result, or what has one's members, as JSON; undefined if it would be too large. */
export async function resultJson(result: WithExchanges, form: JsonForm): Promise<Uint8Array | undefined> {
  const text = await runInSlices(resultOctets(result, form));
  return text.kind === 'written' ? text.octets : undefined;
}

/** A result as JSON for people to read. Throws a `CommandError` if it would be too large. */
export async function prettyResult(result: WithExchanges): Promise<Uint8Array> {
  const octets = await resultJson(result, PRETTY_JSON);
  if (octets === undefined) throw notDone(TOO_LARGE);
  return octets;
}

/** What to say of a result that would be too large. */
export const TOO_LARGE = `the result would have more than ${octetsText(RESULT_OCTETS)}, even without the records of its exchanges`;
