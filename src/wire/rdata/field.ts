import type { Reader } from '../reader.ts';
import type { RdataWords } from './words.ts';

/** One field of a record's data, or several that belong together: how to read it and how to write it. */
export interface RdataField {
  /**
   * Its text in a zone file; '' if the field is empty and left out, undefined if the data do not fit.
   * The reader itself fails where they end too early.
   */
  readonly read: (data: Reader) => string | undefined;
  /** Its octets, from the next words. Throws RdataError or NameError. */
  readonly write: (words: RdataWords) => Uint8Array;
}

/** A whole number's octets, the most significant one first. */
export function bigEndian(value: number, bits: 8 | 16 | 32): Uint8Array {
  return Uint8Array.from({ length: bits / 8 }, (_, i) => Math.floor(value / 2 ** (bits - 8 - 8 * i)) % 256);
}
