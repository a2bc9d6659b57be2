/** What is wrong with JSON from outside. The message completes the name of whatever held it: "is not JSON: ...". */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/** Text of fewer octets needs little memory, whatever it holds. */
const SMALL = 16 * 1_024 * 1_024;

/**
 * The most values that a text may hold: twice the largest result. Three octets of text can become a
 * hundred of memory, so a bound on the length of a text is none on what comes of it.
 */
const MOST_VALUES = 1 << 24;

/** Parses JSON (UTF-8) that came from outside. Throws a `JsonError` if it is none, or holds too much. */
export function parseJson(octets: Buffer): unknown {
  if (octets.length > SMALL && hasMoreValues(octets, MOST_VALUES)) {
    throw new JsonError(`holds more than ${MOST_VALUES} values`);
  }
  try {
    return JSON.parse(octets.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new JsonError(`is not JSON: ${error.message}`);
    throw error;
  }
}

/** Whether a text holds more values. Each is the first, or stands behind a comma or an opening bracket. */
function hasMoreValues(octets: Buffer, most: number): boolean {
  let values = 1;
  let place: 'outside' | 'in-string' = 'outside';
  for (let at = 0; at < octets.length; at += 1) {
    const octet = octets[at];
    if (octet === QUOTE) place = place === 'outside' ? 'in-string' : 'outside';
    else if (place === 'in-string') at += octet === BACKSLASH ? 1 : 0;
    else if (octet === COMMA || octet === BRACKET || octet === BRACE) values += 1;
  }
  return values > most;
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [...Buffer.from('"\\,[{')];
