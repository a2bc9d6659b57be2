import { parseAddress } from '../wire/address.ts';
import { fitsType, type ResourceRecord } from '../wire/record.ts';

/**
 * The address that an A or AAAA record of class IN gives, in canonical text; undefined for other
 * records, and for data that do not fit their type.
 */
export function addressIn(record: ResourceRecord): string | undefined {
  if (record.class !== undefined || (record.type !== 'A' && record.type !== 'AAAA')) return undefined;
  return fitsType(record) ? parseAddress(record.data) : undefined;
}

const known = new WeakMap<readonly ResourceRecord[], readonly string[]>();

/**
 * The distinct addresses in records, sorted. The same answer is looked at wherever paths meet it, so
 * what it gives is kept for as long as it lives.
 */
export function addressesIn(records: readonly ResourceRecord[]): readonly string[] {
  let addresses = known.get(records);
  if (addresses === undefined) {
    const each = records.map(addressIn).filter((address) => address !== undefined);
    addresses = [...new Set(each)].sort();
    known.set(records, addresses);
  }
  return addresses;
}
