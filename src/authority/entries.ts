/* Splits a zone file into its entries (RFC 1035 5.1). */

/** Why a zone file cannot be read, and where. */
export class ZoneFileError extends Error {
  override readonly name = 'ZoneFileError';
  /** Without the place. */
  readonly reason: string;
  readonly place: FilePlace;

  constructor(reason: string, place: FilePlace) {
    super(`${placeText(place)}: ${reason}`);
    this.reason = reason;
    this.place = place;
  }
}

/** A place in a zone file. */
interface FilePlace {
  /** As it was named; absent: the text did not come from a file. */
  readonly file?: string | undefined;
  /** Counted from 1. */
  readonly line: number;
  /** In characters, counted from 1. */
  readonly column?: number | undefined;
}

function placeText({ file, line, column }: FilePlace): string {
  if (file !== undefined) return [file, line, ...(column === undefined ? [] : [column])].join(':');
  return column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
}

/** One entry of a zone file: one line, or several joined by parentheses. */
export interface ZoneEntry {
  /** Where it begins, counted from 1. */
  readonly line: number;
  /** RFC 1035 5.1: an entry that begins with a blank has the owner of the previous one. */
  readonly beginsBlank: boolean;
  /** Words as written, quotes and escapes still in them; at least one. */
  readonly fields: readonly string[];
  /** Where each of them begins in the text. */
  readonly offsets: readonly number[];
  /** Whether a comment begins right behind a word, as it does in a text with semicolons that lacks its quotes. */
  readonly isCut?: true;
}

const [TAB, LF, CR, BLANK, QUOTE, OPEN, CLOSE, SEMICOLON, BACKSLASH] = [
  0x09, 0x0a, 0x0d, 0x20, 0x22, 0x28, 0x29, 0x3b, 0x5c,
];

/** The entries of a zone file, one after the other, without comments and empty lines. */
export class ZoneEntries {
  readonly #text: string;
  readonly #file: string | undefined;
  #at = 0;
  #line = 1;

  /** `file` is its name in errors. */
  constructor(text: string, file?: string) {
    this.#text = text;
    this.#file = file;
  }

  /** The next entry; undefined at the end. Throws ZoneFileError. */
  next(): ZoneEntry | undefined {
    const text = this.#text;
    const fields: string[] = [];
    const offsets: number[] = [];
    let [line, beginsBlank] = [this.#line, isBlank(text.charCodeAt(this.#at))];
    const open: number[] = [];
    let cut: { readonly isCut?: true } = {};
    for (; this.#at < text.length; ) {
      const code = text.charCodeAt(this.#at);
      if (code === LF) {
        this.#at += 1;
        this.#line += 1;
        if (open.length > 0) continue;
        if (fields.length > 0) return { line, beginsBlank, fields, offsets, ...cut };
        [line, beginsBlank] = [this.#line, isBlank(text.charCodeAt(this.#at))];
      } else if (isBlank(code)) this.#at += 1;
      else if (code === SEMICOLON) {
        if (fields.length > 0 && endsWord(text.charCodeAt(this.#at - 1))) cut = { isCut: true };
        this.#skipComment();
      } else if (code === OPEN) open.push(this.#at++);
      else if (code === CLOSE) {
        if (open.pop() === undefined)
          throw this.errorAt(this.#at, 'a closing parenthesis without an opening one');
        this.#at += 1;
      } else {
        offsets.push(this.#at);
        fields.push(this.#field());
      }
    }
    const unclosed = open.pop();
    if (unclosed !== undefined) throw this.errorAt(unclosed, 'a parenthesis is not closed');
    return fields.length > 0 ? { line, beginsBlank, fields, offsets, ...cut } : undefined;
  }

  /** The error for a place in the text. */
  errorAt(offset: number, reason: string): ZoneFileError {
    const before = this.#text.slice(0, offset);
    const line = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n');
    return new ZoneFileError(reason, { file: this.#file, line, column });
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #field(): string {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    for (let quote = -1; ; at += 1) {
      const code = text.charCodeAt(at);
      const isEnd = Number.isNaN(code) || code === LF;
      if (quote >= 0 && isEnd) throw this.errorAt(quote, 'this quote is not closed on its line');
      if (isEnd) break;
      if (code === BACKSLASH) {
        at += 1;
        if (at === text.length || text.charCodeAt(at) === LF)
          throw this.errorAt(at - 1, 'a backslash ends the line');
      } else if (code === QUOTE) quote = quote < 0 ? at : -1;
      else if (quote < 0 && endsField(code)) break;
    }
    this.#at = at;
    return text.slice(start, at);
  }
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB || code === CR;
}

/** Whether a word that has no quotes can end with this character. */
function endsWord(code: number): boolean {
  return !isBlank(code) && code !== OPEN && code !== CLOSE && code !== QUOTE && code !== LF;
}

function endsField(code: number): boolean {
  return isBlank(code) || code === OPEN || code === CLOSE || code === SEMICOLON;
}

/** How often, and with which numbers, a line is repeated. */
interface GenerateRange {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

const MOST = 2 ** 31 - 1;

/** Reads "1-10" or "1-10/2"; undefined for anything else. */
export function generateRange(text: string): GenerateRange | undefined {
  const [, first, last, step = '1'] = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last), step: Number(step) };
  return range.first <= range.last && range.last <= MOST && range.step >= 1 ? range : undefined;
}

/** How many numbers a range has. */
export function sizeOf({ first, last, step }: GenerateRange): number {
  return Math.floor((last - first) / step) + 1;
}

/** `$` or `${offset[,width[,base]]}`; a backslash takes a dollar its meaning, and `$$` is one dollar. */
const PLACE = /\\.|\$\$|\$\{([^}]*)\}|\$/gs;

const MODIFIER = /^([+-]?\d{1,10})(?:,(\d{1,3})(?:,([doxXnN]))?)?$/;

/**
 * One field of the line for one number: each `$` is replaced by it. Undefined for a modifier that is none, and for a
 * number below zero.
 */
export function generated(field: string, number: number): string | undefined {
  let isWrong = false;
  const made = field.replace(PLACE, (place: string, modifier: string | undefined) => {
    if (place === '\\$' || place === '$$') return '$';
    if (place.startsWith('\\')) return place;
    const text = modifier === undefined ? String(number) : modified(number, modifier);
    isWrong ||= text === undefined;
    return text ?? '';
  });
  return isWrong ? undefined : made;
}

function modified(number: number, modifier: string): string | undefined {
  const [, offset, width = '0', base = 'd'] = MODIFIER.exec(modifier) ?? [];
  const value = number + Number(offset);
  if (offset === undefined || value < 0) return undefined;
  const size = Number(width);
  switch (base) {
    case 'o':
      return value.toString(8).padStart(size, '0');
    case 'x':
      return value.toString(16).padStart(size, '0');
    case 'X':
      return value.toString(16).toUpperCase().padStart(size, '0');
    case 'n':
      return nibbles(value, size);
    case 'N':
      return nibbles(value, size).toUpperCase();
    default:
      return String(value).padStart(size, '0');
  }
}

/** Hexadecimal digits, the last one first, as labels: the width counts the dots. */
function nibbles(value: number, width: number): string {
  const digits = value.toString(16).padStart(Math.ceil(width / 2), '0');
  return [...digits].reverse().join('.');
}
