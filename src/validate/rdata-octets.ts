import { getOrMake } from '../get-or-make.ts';
import { NameError } from '../wire/label.ts';
import { ROOT } from '../wire/name.ts';
import { encodeRdata } from '../wire/rdata/rdata.ts';
import { RdataError } from '../wire/rdata/words.ts';
import type { ResourceRecord } from '../wire/record.ts';

/** A record's type and data: all that is signed of one record in an RRset. */
export type Data = Pick<ResourceRecord, 'type' | 'data'>;

const known = new WeakMap<Data, Uint8Array | 'unreadable'>();

/**
 * The octets of a record's data in canonical form (RFC 4034 6.2). Undefined for what was not read from the wire and is no
 * data of the type: a saved file may hold any text.
 */
export function rdataOctets(record: Data): Uint8Array | undefined {
  const octets = getOrMake(known, record, () => encoded(record));
  return octets === 'unreadable' ? undefined : octets;
}

function encoded({ type, data }: Data): Uint8Array | 'unreadable' {
  try {
    return encodeRdata(type, data, ROOT);
  } catch (error) {
    if (error instanceof RdataError || error instanceof NameError) return 'unreadable';
    throw error;
  }
}
