/* The fields that record data consist of: how each is read, written and shown. */

import { concat, fromHex, toBase64, toHex, toLatin1 } from '../../base/encodings.ts';
import { addressFromBytes, type Family, octetsIn } from '../address.ts';
import { nameToWire } from '../name.ts';
import type { Reader } from '../reader.ts';
import { octetsOf, quotedOctets, RdataError, type RdataWords, seconds } from './words.ts';

/** Whole numbers of 8, 16 and 32 bits. */
export const u8: RdataField = {
  read: (data) => `${data.u8()}`,
  pass: (data) => data.skip(1),
  write: (words) => bigEndian(words.number(8), 8),
};
export const u16: RdataField = {
  read: (data) => `${data.u16()}`,
  pass: (data) => data.skip(2),
  write: (words) => bigEndian(words.number(16), 16),
};
export const u32: RdataField = {
  read: (data) => `${data.u32()}`,
  pass: (data) => data.skip(4),
  write: (words) => bigEndian(words.number(32), 32),
};

/** A time in seconds, 32 bits; zone files may give it with units. */
export const period: RdataField = { ...u32, write: (words) => bigEndian(seconds(words.next()), 32) };

/** Addresses. */
export const ipv4 = addressField(4, 4);
export const ipv6 = addressField(6, 16);

function addressField(family: Family, octets: 4 | 16): RdataField {
  return {
    read: (data) => addressFromBytes(data.octets(octets)),
    write: (words) => addressOctets(words.next(), family),
  };
}

/** An address's octets. Throws RdataError for text that is not an address of that family. */
export function addressOctets(text: string, family: Family): Uint8Array {
  const octets = octetsIn(text, family);
  if (octets === undefined) throw new RdataError(`"${text}" is not an IPv${family} address`);
  return octets;
}

/** A name in a type of RFC 1035: senders may compress it. */
export const name: RdataField = { read: (data) => data.name(), write: (words) => nameToWire(words.name()) };
/** A name that must not be sent compressed, but that receivers must accept compressed (RFC 3597 4). */
export const laterName: RdataField = { ...name };
/** A name that must not be compressed at all (RFC 3597 4). */
export const plainName: RdataField = { ...name, read: (data) => data.uncompressedName() };

/**
 * The same in types whose signatures are made over the letters as they are sent (RFC 6840 5.1, RFC 4034 6.2): nobody
 * who makes them small could check a signature.
 */
export const signedName: RdataField = {
  read: (data) => data.uncompressedNameAsSent(),
  write: (words) => words.nameAsWritten(),
};

/** RFC 1035 3.3: a length and up to 255 octets. */
export const characterString: RdataField = {
  read: readString,
  write: (words) => counted(words.octets()),
};

/** RFC 1035 3.3.14: one or more character-strings. */
export const characterStrings: RdataField = {
  read: (data) => {
    let text = readString(data);
    while (data.remaining > 0) text += ` ${readString(data)}`;
    return text;
  },
  write: (words) => concat([counted(words.octets()), ...words.rest().map((word) => counted(octetsOf(word)))]),
};

function readString(data: Reader): string {
  return quotedOctets(data.octets(data.u8()));
}

/** Octets preceded by their number. Throws RdataError for more than 255. */
export function counted(octets: Uint8Array): Uint8Array {
  if (octets.length > 255) throw new RdataError('a character-string is longer than 255 octets');
  return Uint8Array.of(octets.length, ...octets);
}

/** A CAA property's tag, preceded by its length: letters (in any case) and digits, at least one (RFC 8659 4.1). */
export const caaTag: RdataField = {
  read: (data) => {
    const tag = toLatin1(data.octets(data.u8()));
    return /^[a-z0-9]+$/i.test(tag) ? tag : data.fail('a tag that is not of letters and digits');
  },
  write: (words) => {
    const tag = words.next();
    if (!/^[a-z0-9]+$/i.test(tag)) throw new RdataError(`"${tag}" is not a tag of letters and digits`);
    return counted(octetsOf(tag));
  },
};

/** All that is left, as one text, possibly empty. */
export const textRest: RdataField = {
  read: (data) => quotedOctets(data.octets(data.remaining)),
  write: (words) => words.octets(),
};

const LAST_FIELD_EMPTY = 'nothing in the last field';

/** All that is left, at least one octet, in hexadecimal digits. */
export const hexRest: RdataField = {
  read: (data) => toHex(data.octets(data.remaining)) || data.fail(LAST_FIELD_EMPTY),
  pass: (data) => (data.remaining > 0 ? data.skip(data.remaining) : data.fail(LAST_FIELD_EMPTY)),
  write: (words) => words.hex(),
};

/** All that is left, at least one octet, in base64. */
export const base64Rest: RdataField = {
  read: (data) => toBase64(data.octets(data.remaining)) || data.fail(LAST_FIELD_EMPTY),
  pass: (data) => (data.remaining > 0 ? data.skip(data.remaining) : data.fail(LAST_FIELD_EMPTY)),
  write: (words) => words.base64(),
};

/** RFC 7043: identifiers of network interfaces, in pairs of hexadecimal digits between hyphens. */
export const eui48 = identifierField(6);
export const eui64 = identifierField(8);

function identifierField(octets: 6 | 8): RdataField {
  const format = new RegExp(`^[0-9a-f]{2}(?:-[0-9a-f]{2}){${octets - 1}}$`, 'i');
  return {
    read: (data) => [...data.octets(octets)].map((octet) => toHex(Uint8Array.of(octet))).join('-'),
    write: (words) => {
      const text = words.next();
      if (format.test(text)) return fromHex(text.replaceAll('-', ''));
      throw new RdataError(`"${text}" is not ${octets} pairs of hexadecimal digits between hyphens`);
    },
  };
}

/** All that is left in base64: a key, which may have no octets at all (RFC 4034 2.1.4 sets no minimum). */
export const keyRest: RdataField = {
  read: (data) => toBase64(data.octets(data.remaining)),
  pass: (data) => data.skip(data.remaining),
  write: (words) => (words.areLeft() ? words.base64() : new Uint8Array()),
};

/** One field of a record's data, or several that belong together: how to read it and how to write it. */
export interface RdataField {
  /**
   * Its text in a zone file; '' if the field is empty and left out. The reader fails where the data do not fit, with a
   * reason, and by itself where they end too early.
   */
  readonly read: (data: Reader) => string;
  /** Passes over it, and fails where `read` does. Absent: `read` is as quick. */
  readonly pass?: (data: Reader) => void;
  /** Its octets, from the next words. Throws RdataError or NameError. */
  readonly write: (words: RdataWords) => Uint8Array;
}

/** A whole number's octets, the most significant one first. */
export function bigEndian(value: number, bits: 8 | 16 | 32): Uint8Array {
  return Uint8Array.from({ length: bits / 8 }, (_, i) => Math.floor(value / 2 ** (bits - 8 - 8 * i)) % 256);
}
