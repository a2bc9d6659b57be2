import {
  addressOctets,
  base64Octets,
  bigEndian,
  concat,
  type Field,
  octetsOf,
  RdataError,
  relativeName,
  unsigned,
} from './encode-rdata-fields.ts';
import { encodeServiceParameters } from './encode-rdata-svcb.ts';
import { seconds } from './encode-rdata-time.ts';
import { type Name, nameToWire } from './name.ts';

/** Encodes one field. Throws RdataError or NameError. */
export type One = (field: Field, origin: Name) => Uint8Array;

/** Encodes all fields that are left; always the last of its type. Throws RdataError. */
export interface Rest {
  readonly rest: (fields: readonly Field[]) => Uint8Array;
}

/** Whole numbers of 8, 16 and 32 bits. */
export const u8: One = (field) => bigEndian(unsigned(field.text, 8), 8);
export const u16: One = (field) => bigEndian(unsigned(field.text, 16), 16);
export const u32: One = (field) => bigEndian(unsigned(field.text, 32), 32);

/** A time with or without units, 32 bits. */
export const period: One = (field) => bigEndian(seconds(field.text), 32);

/** A domain name, not compressed. */
export const name: One = (field, origin) => nameToWire(relativeName(field.text, origin));

/** Addresses. */
export const ipv4: One = (field) => addressOctets(field.text, 4);
export const ipv6: One = (field) => addressOctets(field.text, 6);

/** RFC 1035 3.3: text behind its length. */
export const characterString: One = (field) => counted(octetsOf(field.text));

/** Text that fills the rest of the data, without a length of its own. */
export const bareText: One = (field) => octetsOf(field.text);

/** One or more character-strings. */
export const characterStrings: Rest = {
  rest: (fields) => concat(some(fields).map((field) => counted(octetsOf(field.text)))),
};

/** Hexadecimal digits, blanks allowed. */
export const hex: Rest = { rest: hexOctets };

/** RFC 4648 4, blanks allowed. */
export const base64: Rest = { rest: (fields) => base64Octets(joined(fields)) };

/** RFC 9460 2.1. */
export const parameters: Rest = { rest: encodeServiceParameters };

/** What the fields say in hexadecimal digits. Throws RdataError. */
export function hexOctets(fields: readonly Field[]): Uint8Array {
  const digits = joined(fields);
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) {
    throw new RdataError('hexadecimal digits are wanted, two for each octet');
  }
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}

function counted(octets: Uint8Array): Uint8Array {
  if (octets.length > 255) throw new RdataError('a character-string is longer than 255 octets');
  return Uint8Array.of(octets.length, ...octets);
}

function joined(fields: readonly Field[]): string {
  return some(fields)
    .map((field) => field.text)
    .join('');
}

function some(fields: readonly Field[]): readonly Field[] {
  if (fields.length === 0) throw new RdataError('the last field is missing');
  return fields;
}
