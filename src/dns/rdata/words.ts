/* Splits record data in presentation format into words, and reads these. */

import { fromBase64, fromHex, toLatin1 } from '../../base/encodings.ts';
import { decimalEscape, labelsToWire, type Name, nameFromLabels, parseName, splitLabels } from '../name.ts';

/** Why record data in presentation format cannot be encoded, in one line. */
export class RdataError extends Error {
  override readonly name = 'RdataError';
  /** The number of the word at fault, from 0; the number of words if one is missing. Absent: not told. */
  readonly word: number | undefined;

  constructor(message: string, word?: number) {
    super(message);
    this.word = word;
  }
}

/** One word of record data, without its quotes if it has any, but with its escapes. */
export interface RdataWord {
  readonly text: string;
  readonly quoted: boolean;
}

/** Record data in presentation format, taken word by word from left to right. Every method throws RdataError. */
export class RdataWords {
  readonly #words: readonly RdataWord[];
  readonly #origin: Name;
  #at = 0;

  /** Names without a final dot are relative to `origin`. */
  constructor(words: readonly RdataWord[], origin: Name) {
    this.#words = words;
    this.#origin = origin;
  }

  /** How many words were taken. */
  get taken(): number {
    return this.#at;
  }

  /** The text of the next word. */
  next(): string {
    const word = this.#words[this.#at];
    if (word === undefined) throw new RdataError('a field is missing', this.#at);
    this.#at += 1;
    return word.text;
  }

  /** The next word as a whole number of that many bits. */
  number(bits: 8 | 16 | 32): number {
    return unsigned(this.next(), bits);
  }

  /** The next word as a name. Throws NameError if it is not one. */
  name(): Name {
    return relativeName(this.next(), this.#origin);
  }

  /** The next word as a name on the wire, its letters' case kept. Throws NameError if it is not one. */
  nameAsWritten(): Uint8Array {
    const text = absoluteText(this.next(), this.#origin);
    const labels = splitLabels(text);
    // Refuses what is no name.
    nameFromLabels(labels);
    return labelsToWire(labels);
  }

  /** The octets that the next word stands for. */
  octets(): Uint8Array {
    return octetsOf(this.next());
  }

  /** The texts of all words that are left. */
  rest(): string[] {
    const rest = this.#words.slice(this.#at).map(({ text }) => text);
    this.#at = this.#words.length;
    return rest;
  }

  /** All words that are left, at least one, as hexadecimal digits. */
  hex(): Uint8Array {
    return hexOctets(this.#joined());
  }

  /** All words that are left, at least one, as base64 (RFC 4648 4). */
  base64(): Uint8Array {
    return base64Octets(this.#joined());
  }

  /** Whether any word is left. */
  areLeft(): boolean {
    return this.#at < this.#words.length;
  }

  /** Checks that no word is left. */
  end(): void {
    const { taken } = this;
    const [extra] = this.rest();
    if (extra !== undefined) throw new RdataError(`"${extra}" is one field too many`, taken);
  }

  #joined(): string {
    const rest = this.rest();
    if (rest.length === 0) throw new RdataError('the last field is missing', this.#at);
    return rest.join('');
  }
}

const QUOTED = /"((?:[^"\\]|\\.)*)"/sy;
/** In SVCB, quotes may follow an equals sign within a word (RFC 9460 2.1). */
const BARE = /(?:[^\s"\\]|\\.|(?<==)"(?:[^"\\]|\\.)*")+/sy;

/** Splits record data at its blanks (RFC 1035 5.1). Throws RdataError for a quote that is not closed. */
export function splitWords(text: string): RdataWord[] {
  const words: RdataWord[] = [];
  const end = text.trimEnd().length;
  for (let at = skipBlanks(text, 0); at < end; at = skipBlanks(text, at)) {
    const quoted = matchAt(QUOTED, text, at);
    const word = quoted ?? matchAt(BARE, text, at);
    if (word === undefined) throw new RdataError('a quote is not closed, or a backslash ends the text');
    words.push({ text: word[1] ?? word[0], quoted: quoted !== undefined });
    at += word[0].length;
  }
  return words;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/**
 * A name as zone files write it (RFC 1035 5.1): "@" is the origin, and a name without a final dot
 * is relative to it. Throws NameError.
 */
export function relativeName(text: string, origin: Name): Name {
  return parseName(absoluteText(text, origin));
}

function absoluteText(text: string, origin: Name): string {
  if (text === '@') return origin;
  // The pattern looks at every character.
  const isAbsolute = text.endsWith('.') && /(?:^|[^\\])(?:\\\\)*\.$/.test(text);
  return isAbsolute || origin === '.' ? text : `${text}.${origin}`;
}

/** A whole number of that many bits. Throws RdataError. */
export function unsigned(text: string, bits: 8 | 16 | 32): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value < 2 ** bits) return value;
  throw new RdataError(`"${text}" is not a number from 0 to ${2 ** bits - 1}`);
}

/** The octets that text stands for (see unescaped). Throws RdataError. */
export function octetsOf(text: string): Uint8Array {
  const octets = unescaped(text);
  if (octets === undefined)
    throw new RdataError('a backslash must be followed by a character or by 000 to 255');
  return octets;
}

/** What hexadecimal digits stand for. Throws RdataError. */
export function hexOctets(digits: string): Uint8Array {
  if (/^(?:[0-9a-f]{2})+$/i.test(digits)) return fromHex(digits);
  throw new RdataError('hexadecimal digits must come in pairs, one for each octet');
}

/** What base64 stands for (RFC 4648 4). Throws RdataError. */
export function base64Octets(text: string): Uint8Array {
  const octets = fromBase64(text);
  if (octets === undefined) throw new RdataError('this is not base64');
  return octets;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Whether the text is a period of time as zone files write it: "300", "1h30m". */
export function isPeriod(text: string): boolean {
  return /^(?:\d+|(?:\d+[smhdw])+)$/i.test(text);
}

/** A period as zone files write it, in seconds: plain ("300") or with units ("1w2d3h4m5s"). Throws RdataError. */
export function seconds(text: string): number {
  if (!isPeriod(text)) throw new RdataError(`"${text}" is not a time (300, 5m, 1h30m)`);
  if (/^\d+$/.test(text)) return unsigned(text, 32);
  let total = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+)([smhdw])/gi)) {
    total += Number(count) * (UNITS[unit.toLowerCase()] ?? 0);
  }
  return unsigned(String(total), 32);
}

/** Octets as zone files write a character-string (RFC 1035 5.1): in quotes, and in printable ASCII only. */
export function quotedOctets(octets: Uint8Array): string {
  return `"${toLatin1(octets).replace(/["\\]|[^ -~]/g, escaped)}"`;
}

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return decimalEscape(character.charCodeAt(0));
}

const encoder = new TextEncoder();

/**
 * The octets that text without its quotes stands for: `\DDD` and `\X` undone (RFC 1035 5.1), other
 * characters as UTF-8. Undefined if an escape is invalid.
 */
function unescaped(text: string): Uint8Array | undefined {
  const octets: number[] = [];
  for (const [piece] of text.matchAll(/\\(?:\d{3}|.)|[^\\]+|\\$/gs)) {
    const part = piece.startsWith('\\') ? escapedOctets(piece.slice(1)) : encoder.encode(piece);
    if (part === undefined) return undefined;
    octets.push(...part);
  }
  return Uint8Array.from(octets);
}

/** What follows a backslash: three decimal digits are one octet, any other character stands for itself. */
function escapedOctets(behind: string): Uint8Array | undefined {
  if (/^\d{3}$/.test(behind) && Number(behind) <= 255) return Uint8Array.of(Number(behind));
  return /^\D/s.test(behind) ? encoder.encode(behind) : undefined;
}
