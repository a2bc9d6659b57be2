/* Parses JSON from outside within limits, and writes large values as JSON in pieces. */

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

/** How a value is written as JSON. */
export interface JsonForm {
  /** Blanks for each level; none: all on one line. */
  readonly indent: 0 | 2;
  /** What of a text is written another way. It must not depend on what stands before or after it. */
  readonly escape: (text: string) => string;
  /** What stands after the value. */
  readonly end: '' | '\n';
}

/** As `JSON.stringify` writes it. */
export const PLAIN_JSON: JsonForm = { indent: 0, escape: (text) => text, end: '' };

/**
 * A value as JSON, in pieces: the text is that of `JSON.stringify`, but never whole in memory. An element of
 * a list is one piece, unless it has a long list itself, so none of its other members should be very large.
 */
export function* jsonPieces(value: unknown, form: JsonForm = PLAIN_JSON): Generator<string> {
  yield* anyPieces(value, form, form.indent === 0 ? '' : '\n');
  if (form.end !== '') yield form.end;
}

/** An element of a list that is a member of a document, as it stands in there. */
export function elementPieces(element: unknown, form: JsonForm): Iterable<string> {
  return piecesOf(element, form, form.indent === 0 ? '' : `\n${' '.repeat(2 * form.indent)}`);
}

/** `margin` is what begins a line at this level. */
function* anyPieces(value: unknown, form: JsonForm, margin: string): Generator<string> {
  if (Array.isArray(value)) yield* listPieces(value, form, margin);
  else if (isDocument(value)) yield* memberPieces(value, form, margin);
  else yield textOf(value, form, margin);
}

function* listPieces(list: readonly unknown[], form: JsonForm, margin: string): Generator<string> {
  if (list.length === 0) return yield '[]';
  const inner = deeper(form, margin);
  for (const [at, element] of list.entries()) {
    let before = `${at === 0 ? '[' : ','}${inner}`;
    for (const piece of piecesOf(element, form, inner)) {
      yield before + piece;
      before = '';
    }
  }
  yield `${margin}]`;
}

/** An element of a list. */
function piecesOf(element: unknown, form: JsonForm, margin: string): Iterable<string> {
  return isDocument(element) && !Array.isArray(element) && Object.values(element).some(isLong)
    ? memberPieces(element, form, margin, shortOrLong)
    : [textOf(element, form, margin)];
}

function shortOrLong(value: unknown, form: JsonForm, margin: string): Iterable<string> {
  return isLong(value) ? groupPieces(value, form, margin) : [textOf(value, form, margin)];
}

/** A long list, some elements at once. */
function* groupPieces(list: LongList, form: JsonForm, margin: string): Generator<string> {
  let before = '[';
  let group: unknown[] = [];
  const text = () => `${before}${textOf(group, form, margin).slice(1, -1 - margin.length)}`;
  for (const element of list) {
    if (group.length === GROUP) {
      yield text();
      before = ',';
      group = [];
    }
    group.push(element);
  }
  yield `${text()}${margin}]`;
}

function* memberPieces(
  document: object,
  form: JsonForm,
  margin: string,
  valuePieces: (value: unknown, form: JsonForm, margin: string) => Iterable<string> = anyPieces,
): Generator<string> {
  const members = Object.entries(document).filter(([, value]) => value !== undefined);
  if (members.length === 0) return yield '{}';
  const inner = deeper(form, margin);
  const colon = form.indent === 0 ? ':' : ': ';
  for (const [at, [name, value]] of members.entries()) {
    yield `${at === 0 ? '{' : ','}${inner}${form.escape(JSON.stringify(name))}${colon}`;
    yield* valuePieces(value, form, inner);
  }
  yield `${margin}}`;
}

function isDocument(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

/** Elements of a list that are one piece where it has more of them. */
const GROUP = 64;

/** An array, or what is one in JSON and makes its elements anew each time. */
interface LongList extends Iterable<unknown> {
  readonly length: number;
}

function isLong(value: unknown): value is LongList {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) return false;
  return 'length' in value && typeof value.length === 'number' && value.length > GROUP;
}

function deeper({ indent }: JsonForm, margin: string): string {
  return indent === 0 ? '' : margin + ' '.repeat(indent);
}

/** No text in JSON has a line end in it, so those here are all between its parts. */
function textOf(value: unknown, form: JsonForm, margin: string): string {
  if (form.indent === 0) return form.escape(JSON.stringify(value));
  return form.escape(JSON.stringify(value, undefined, form.indent)).replaceAll('\n', margin);
}

/** Characters that JSON allows in strings as they are, and that a terminal may act on. */
const UNPRINTABLE = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON for people to read, safe to print, with a final line end. */
export const PRETTY_JSON: JsonForm = { indent: 2, escape: safe, end: '\n' };

/** JSON on one line, safe to print. */
export const LINE_JSON: JsonForm = { indent: 0, escape: safe, end: '\n' };

/** A value as JSON, for values that are not large. */
export function jsonText(value: unknown, form: JsonForm): string {
  return `${form.escape(JSON.stringify(value, undefined, form.indent))}${form.end}`;
}

/** A value as one line of JSON. */
export function jsonLine(value: unknown): string {
  return jsonText(value, LINE_JSON);
}

function safe(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
