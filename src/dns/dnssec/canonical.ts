/* Writes and orders record data in the canonical form that signatures cover (RFC 4034 6). */

import { getOrMake } from '../../base/memo.ts';
import { labelsOf, type Name, NameError, ROOT } from '../name.ts';
import { encodeRdata } from '../rdata/rdata.ts';
import { RdataError } from '../rdata/words.ts';
import type { ResourceRecord } from '../record.ts';

/** A record's type and data: all that is signed of one record in an RRset. */
export type Data = Pick<ResourceRecord, 'type' | 'data' | 'octets'>;

const known = new WeakMap<Data, Uint8Array | 'unreadable'>();

/**
 * The octets of a record's data in canonical form (RFC 4034 6.2). Undefined for what was not read from the wire and is no
 * data of the type: a saved file may hold any text.
 */
export function rdataOctets(record: Data): Uint8Array | undefined {
  const octets = getOrMake(known, record, () => encoded(record));
  return octets === 'unreadable' ? undefined : octets;
}

function encoded(record: Data): Uint8Array | 'unreadable' {
  try {
    return record.octets ?? encodeRdata(record.type, record.data, ROOT);
  } catch (error) {
    if (error instanceof RdataError || error instanceof NameError) return 'unreadable';
    throw error;
  }
}

/** Negative, zero or positive as octets sort, the one that ends first going first: the order of RFC 4034 6. */
export function compareOctets(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length);
  for (let at = 0; at < common; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Negative, zero or positive as names sort in the canonical order of RFC 4034 6.1: by labels from the root on. */
export function compareNames(a: Name, b: Name): number {
  if (a === b) return 0;
  const [first, second] = [labelsOf(a).reverse(), labelsOf(b).reverse()];
  for (const [at, label] of first.entries()) {
    const other = second[at];
    if (other === undefined) return 1;
    const difference = compareOctets(label, other);
    if (difference !== 0) return difference;
  }
  return first.length - second.length;
}

/** A text by which a name sorts as `compareNames` has it. */
export function canonicalKey(name: Name): string {
  return (
    labelsOf(name)
      .reverse()
      // The end of a label sorts before every octet.
      .map((label) => String.fromCharCode(...Array.from(label, (octet) => octet + 1)))
      .join('\0')
  );
}
