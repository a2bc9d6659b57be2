/* The fields that occur only in the record data of DNSSEC. */

import { concat, toBase32hex, toHex } from '../../base/encodings.ts';
import { algorithmNumber, typeCode, typeName } from '../codes.ts';
import type { Reader } from '../reader.ts';
import { bigEndian, counted, type RdataField } from './fields.ts';
import { hexOctets, RdataError, unsigned } from './words.ts';

/** The type that a signature covers. */
export const coveredType: RdataField = {
  read: (data) => typeName(data.u16()),
  pass: (data) => data.skip(2),
  write: (words) => bigEndian(codeOf(words.next()), 16),
};

/** RFC 4034 A.1: a number, which zone files may write as a mnemonic. */
export const algorithm: RdataField = {
  read: (data) => `${data.u8()}`,
  pass: (data) => data.skip(1),
  write: (words) => {
    const word = words.next();
    return Uint8Array.of(algorithmNumber(word) ?? unsigned(word, 8));
  },
};

/** RFC 4034 3.2: YYYYMMDDHHmmSS in UTC; on the wire unsigned seconds since 1970, 32 bits. */
export const timestamp: RdataField = {
  read: (data) => dateText(data.u32()),
  pass: (data) => data.skip(4),
  write: (words) => bigEndian(secondsSince1970(words.next()), 32),
};

function dateText(seconds: number): string {
  const iso = new Date(seconds * 1000).toISOString();
  // A regular expression takes several times as long, and a large reply has hundreds of signatures.
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}${iso.slice(11, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}`;
}

function secondsSince1970(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)?.slice(1);
  if (parts === undefined) return unsigned(text, 32);
  const [year = 0, month = 0, ...rest] = parts.map(Number);
  const seconds = Date.UTC(year, month - 1, ...rest) / 1000;
  if (seconds >= 0 && seconds < 2 ** 32 && dateText(seconds) === text) return seconds;
  throw new RdataError(`"${text}" is not a time from 1970 to 2106 (YYYYMMDDHHmmSS)`);
}

/** RFC 5155 3.3: a length and that many octets; as text hexadecimal, "-" if empty. */
export const salt: RdataField = {
  read: (data) => toHex(data.octets(data.u8())) || '-',
  write: (words) => {
    const text = words.next();
    return counted(text === '-' ? new Uint8Array() : hexOctets(text));
  },
};

/** RFC 5155 3.3: a length and that many octets, at least one; as text base32hex without padding. */
export const hashedOwner: RdataField = {
  read: (data) => toBase32hex(data.octets(data.u8())) || data.fail('a hash of no octets'),
  write: (words) => counted(base32hexOctets(words.next())),
};

function base32hexOctets(text: string): Uint8Array {
  const bits = [...text].map((digit) => Number.parseInt(digit, 32).toString(2).padStart(5, '0')).join('');
  const octets = (bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2));
  if (octets.length > 0 && toBase32hex(Uint8Array.from(octets)) === text.toLowerCase())
    return Uint8Array.from(octets);
  throw new RdataError(`"${text}" is not base32hex`);
}

/** RFC 4034 4.1.2: windows of 256 types, in order, none empty; also RFC 5155's and RFC 7477's. */
export const typeBitmap: RdataField = {
  read: (data) => {
    const types: string[] = [];
    for (let last = -1; data.remaining > 0; ) {
      const window = data.u8();
      if (window <= last) data.fail('a type bitmap whose windows are out of order');
      types.push(...readWindow(data, window << 8));
      last = window;
    }
    return types.join(' ');
  },
  write: (words) => {
    const codes = words.rest().map(codeOf);
    const windows = [...new Set(codes.map((code) => code >> 8))].sort((a, b) => a - b);
    return concat(
      windows.map((window) =>
        writeWindow(
          window,
          codes.filter((code) => code >> 8 === window),
        ),
      ),
    );
  },
};

function readWindow(data: Reader, first: number): string[] {
  const length = data.u8();
  if (length === 0) data.fail('a type bitmap with an empty window');
  if (length > 32) data.fail('a type bitmap with a window of more than 32 octets');
  const types: string[] = [];
  const octets = data.octets(length);
  // RFC 4034 4.1.2 forbids it, and nobody could write what was signed from the types alone.
  if (octets.at(-1) === 0) data.fail('a type bitmap with a window that ends in an octet without types');
  octets.forEach((octet, index) => {
    for (let bit = 0; bit < 8; bit += 1) {
      if (octet & (0x80 >> bit)) types.push(typeName(first + index * 8 + bit));
    }
  });
  return types;
}

function writeWindow(window: number, codes: readonly number[]): Uint8Array {
  const octets = new Uint8Array((Math.max(...codes.map((code) => code & 0xff)) >> 3) + 1);
  for (const code of codes) {
    const at = (code & 0xff) >> 3;
    octets[at] = (octets[at] ?? 0) | (0x80 >> (code & 7));
  }
  return Uint8Array.of(window, octets.length, ...octets);
}

function codeOf(mnemonic: string): number {
  const code = typeCode(mnemonic.toUpperCase());
  if (code === undefined) throw new RdataError(`"${mnemonic}" is not a type`);
  return code;
}
