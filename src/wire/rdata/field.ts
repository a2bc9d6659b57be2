import type { Reader } from '../reader.ts';
import type { Words } from './words.ts';

/** One field of a record's data, or several that belong together: how it is read and how it is written. */
export interface RdataField {
  /**
   * Its text in a zone file: '' for a field that is left out when it is empty, undefined for data that
   * do not fit. Those that are cut short end in the reader's own failure.
   */
  readonly read: (data: Reader) => string | undefined;
  /** Its octets, from the words that it takes. Throws RdataError or NameError. */
  readonly write: (words: Words) => Uint8Array;
}

/** A whole number's octets, the most significant one first. */
export function bigEndian(value: number, bits: 8 | 16 | 32): Uint8Array {
  return Uint8Array.from({ length: bits / 8 }, (_, i) => Math.floor(value / 2 ** (bits - 8 - 8 * i)) % 256);
}

/** All parts in one. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
