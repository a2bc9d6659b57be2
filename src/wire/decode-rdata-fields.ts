import { addressFromBytes } from './address.ts';
import { quoted } from './character-string.ts';
import type { Reader } from './reader.ts';

/**
 * Reads one field of a record's data and gives its text in a zone file: '' for a field that is
 * left out when empty, undefined for one that only RFC 3597's generic form can show.
 */
export type Field = (data: Reader) => string | undefined;

export const u8: Field = (data) => `${data.u8()}`;
export const u16: Field = (data) => `${data.u16()}`;
export const u32: Field = (data) => `${data.u32()}`;
export const ipv4: Field = (data) => addressFromBytes(data.octets(4));
export const ipv6: Field = (data) => addressFromBytes(data.octets(16));

/** A name where RFC 3597 4 lets receivers meet compression. */
export const name: Field = (data) => data.name();
export const uncompressedName: Field = (data) => data.uncompressedName();

export const characterString: Field = (data) => quoted(data.octets(data.u8()));
/** A CAA property's tag behind its length: letters and digits, at least one (RFC 8659 4.1). */
export const caaTag: Field = (data) => {
  const length = data.u8();
  if (length === 0) data.fail('CAA data without a tag');
  const tag = Buffer.from(data.octets(length)).toString('latin1');
  return /^[a-z0-9]+$/i.test(tag) ? tag.toLowerCase() : undefined;
};

/** All that is left, as one quoted text of any length. */
export const quotedRest: Field = (data) => quoted(data.octets(data.remaining));
/** All that is left, which must be something. */
export const hexRest: Field = (data) => encoded(data, 'hex');
/** All that is left, which must be something. */
export const base64Rest: Field = (data) => encoded(data, 'base64');

function encoded(data: Reader, encoding: 'hex' | 'base64'): string | undefined {
  return data.remaining === 0 ? undefined : Buffer.from(data.octets(data.remaining)).toString(encoding);
}
