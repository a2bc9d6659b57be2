/** What is wrong with JSON from outside. The message completes the name of whatever held it: "is not JSON: ...". */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/**
 * The most values that a text may hold: twice the largest result. Three octets of text can become a
 * hundred of memory, so a bound on the length of a text is none on what comes of it.
 */
const MOST_VALUES = 1 << 24;

/** The most levels of lists and objects in each other: parsing many more takes many times as long. */
const MOST_LEVELS = 1_000;

/** JSON begins with no byte order mark (RFC 8259 8.1). */
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Parses JSON (UTF-8) that came from outside. Throws a `JsonError` if it is none, or holds too much. */
export function parseJson(octets: Uint8Array): unknown {
  const { values, levels } = extentOf(octets);
  if (values > MOST_VALUES) throw new JsonError(`holds more than ${MOST_VALUES} values`);
  if (levels > MOST_LEVELS) throw new JsonError(`is nested deeper than ${MOST_LEVELS} levels`);
  try {
    return JSON.parse(UTF_8.decode(octets));
  } catch (error) {
    if (error instanceof SyntaxError) throw new JsonError(`is not JSON: ${error.message}`);
    throw error;
  }
}

/**
 * How many values a text holds, and how deep they are nested. Each value is the first, or stands behind a
 * comma or an opening bracket.
 */
function extentOf(octets: Uint8Array): { readonly values: number; readonly levels: number } {
  let [values, level, levels] = [1, 0, 0];
  for (let at = 0; at < octets.length; at += 1) {
    const octet = octets[at];
    if (octet === QUOTE) at = endOfString(octets, at);
    else if (octet === COMMA) values += 1;
    else if (octet === BRACKET || octet === BRACE) {
      values += 1;
      level += 1;
      if (level > levels) levels = level;
    } else if (octet === END_OF_LIST || octet === END_OF_OBJECT) level -= 1;
  }
  return { values, levels };
}

function endOfString(octets: Uint8Array, quote: number): number {
  let at = quote + 1;
  while (at < octets.length && octets[at] !== QUOTE) at += octets[at] === BACKSLASH ? 2 : 1;
  return at;
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, END_OF_LIST, END_OF_OBJECT] = new TextEncoder().encode(
  '"\\,[{]}',
);
