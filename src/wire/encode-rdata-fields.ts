import { addressBytes, type Family, familyOf, parseAddress } from './address.ts';
import { type Name, parseName } from './name.ts';

/** Why a record's data in presentation format cannot be encoded, in one line. */
export class RdataError extends Error {
  override readonly name = 'RdataError';
}

/** One field of record data: a word, or what stands between quotes. Escapes are still in it. */
export interface Field {
  readonly text: string;
  readonly quoted: boolean;
}

const QUOTED = /"((?:[^"\\]|\\.)*)"/sy;
/** A word; SVCB has quotes behind an equals sign inside a word (RFC 9460 2.1). */
const WORD = /(?:[^\s"\\]|\\.|(?<==)"(?:[^"\\]|\\.)*")+/sy;

/** Splits record data at its blanks (RFC 1035 5.1). Throws RdataError for a quote without an end. */
export function splitFields(text: string): Field[] {
  const fields: Field[] = [];
  const end = text.trimEnd().length;
  for (let at = skipBlanks(text, 0); at < end; at = skipBlanks(text, at)) {
    const quoted = matchAt(QUOTED, text, at);
    const word = quoted ?? matchAt(WORD, text, at);
    if (word === undefined) throw new RdataError('a quote or a backslash has no end');
    fields.push({ text: word[1] ?? word[0], quoted: quoted !== undefined });
    at += word[0].length;
  }
  return fields;
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

/** The octets a field stands for: `\DDD` and `\X` undone, other characters as UTF-8. Throws RdataError. */
export function octetsOf(text: string): Uint8Array {
  const octets: number[] = [];
  for (const [piece, escaped] of text.matchAll(/\\(\d{3}|.)|[^\\]+|\\$/gs)) {
    if (piece === '\\') throw new RdataError('a backslash has nothing behind it');
    if (escaped === undefined) octets.push(...Buffer.from(piece));
    else octets.push(...escapedOctets(escaped));
  }
  return Uint8Array.from(octets);
}

/** RFC 1035 5.1: three decimal digits are one octet, anything else is itself. */
function escapedOctets(escaped: string): Iterable<number> {
  if (/^\d{3}$/.test(escaped)) return [unsigned(escaped, 8)];
  if (/^\d$/.test(escaped)) throw new RdataError('a backslash and a digit must be three digits');
  return Buffer.from(escaped);
}

/** A whole number of that many bits. Throws RdataError. */
export function unsigned(text: string, bits: 8 | 16 | 32): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value < 2 ** bits) return value;
  throw new RdataError(`"${text}" is not a number from 0 to ${2 ** bits - 1}`);
}

/** A whole number's octets, the most significant one first. */
export function bigEndian(value: number, bits: 8 | 16 | 32): Uint8Array {
  return Uint8Array.from({ length: bits / 8 }, (_, i) => Math.floor(value / 2 ** (bits - 8 - 8 * i)) % 256);
}

/** An address's octets. Throws RdataError for what is none of that family. */
export function addressOctets(text: string, family: Family): Uint8Array {
  const address = parseAddress(text);
  if (address !== undefined && familyOf(address) === family) return addressBytes(address);
  throw new RdataError(`"${text}" is not an IPv${family} address`);
}

/** What base64 stands for (RFC 4648 4). Throws RdataError. */
export function base64Octets(text: string): Uint8Array {
  const octets = Buffer.from(text, 'base64');
  if (octets.toString('base64') !== text) throw new RdataError('this is not base64');
  return Uint8Array.from(octets);
}

/** All parts in one. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/**
 * A name as zone files write it (RFC 1035 5.1): "@" is the origin, and a name without a final dot
 * is below it. Throws NameError.
 */
export function relativeName(text: string, origin: Name): Name {
  if (text === '@') return origin;
  const isAbsolute = /(?:^|[^\\])(?:\\\\)*\.$/.test(text);
  if (isAbsolute || origin === '.') return parseName(text);
  return parseName(`${text}.${origin}`);
}
