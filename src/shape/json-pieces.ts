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
