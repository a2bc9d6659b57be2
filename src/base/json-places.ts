/* Finds line and column of a value or an error in a JSON text, for error messages. */

/** A place in a text: line and column, counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** The place of an offset, the column in UTF-16 code units. */
export function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** The place at which the value of a pointer (RFC 6901) begins; if the text has no such value, its nearest parent's. */
export function placeOfPointer(text: string, pointer: string): TextPlace {
  const { offsets } = scanned(text);
  let known = pointer;
  while (known !== '' && !offsets.has(known)) known = known.slice(0, known.lastIndexOf('/'));
  return placeAt(text, offsets.get(known) ?? 0);
}

/** The place of the first syntax error; the end of the text, if the text is cut off. */
export function placeOfSyntaxError(text: string): TextPlace {
  return placeAt(text, scanned(text).end);
}

interface Scanned {
  /** The offset at which each value begins, by its pointer. */
  readonly offsets: ReadonlyMap<string, number>;
  /** The offset at which the value ends, or at which the first syntax error begins. */
  readonly end: number;
}

function scanned(text: string): Scanned {
  const scan = new Scan(text);
  if (scan.value('', MOST_LEVELS)) scan.passBlank();
  return scan;
}

/** The most levels of nested values; deeper values count as syntax errors. */
const MOST_LEVELS = 500;

const BLANK = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\n]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const OTHER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;

/** A parser of JSON (RFC 8259) that notes offsets and stops at the first syntax error. */
class Scan {
  readonly offsets = new Map<string, number>();
  readonly #text: string;
  end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  passBlank(): void {
    this.#take(BLANK);
  }

  /** Parses a value. Returns whether there is one. */
  value(pointer: string, levels: number): boolean {
    this.passBlank();
    this.offsets.set(pointer, this.end);
    if (levels === 0) return false;
    if (this.#takes('{')) return this.#items('}', () => this.#member(pointer, levels));
    if (this.#takes('[')) {
      let index = 0;
      return this.#items(']', () => this.value(`${pointer}/${index++}`, levels - 1));
    }
    return (this.#take(STRING) ?? this.#take(OTHER)) !== undefined;
  }

  #member(pointer: string, levels: number): boolean {
    this.passBlank();
    const start = this.end;
    const key = this.#take(STRING);
    if (key === undefined) return false;
    const token = String(JSON.parse(key)).replaceAll('~', '~0').replaceAll('/', '~1');
    this.passBlank();
    if (!this.#takes(':') || !this.value(`${pointer}/${token}`, levels - 1)) return false;
    // An error about a member is shown at its key.
    this.offsets.set(`${pointer}/${token}`, start);
    return true;
  }

  #items(close: string, item: () => boolean): boolean {
    this.passBlank();
    if (this.#takes(close)) return true;
    for (;;) {
      if (!item()) return false;
      this.passBlank();
      if (this.#takes(close)) return true;
      if (!this.#takes(',')) return false;
    }
  }

  #takes(character: string): boolean {
    if (this.#text[this.end] !== character) return false;
    this.end += 1;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.end;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.end += found.length;
    return found;
  }
}
