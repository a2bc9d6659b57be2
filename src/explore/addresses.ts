import { getOrMake } from '../get-or-make.ts';
import { fitsType, type ResourceRecord } from '../wire/record.ts';
import type { Records } from '../wire/records.ts';

/**
 * The address that an A or AAAA record of class IN gives, in canonical text; undefined for other
 * records, and for data that do not fit their type.
 */
export function addressIn(record: ResourceRecord): string | undefined {
  const { type } = record;
  if ((type !== 'A' && type !== 'AAAA') || record.class !== undefined) return undefined;
  return fitsType(record) ? record.data : undefined;
}

/** Addresses that are kept as they are; more of them are kept as one text, which takes a fifth of the memory. */
const FEW = 256;

const known = new WeakMap<Records, readonly string[] | string>();

/**
 * The distinct addresses in records, sorted. Paths meet the same answer in many places, so the addresses
 * are kept for as long as its records live.
 */
export function addressesIn(records: Records): readonly string[] {
  const kept = getOrMake(known, records, () => {
    const addresses = distinctIn(records);
    return addresses.length > FEW ? addresses.join(' ') : addresses;
  });
  return typeof kept === 'string' ? kept.split(' ') : kept;
}

function distinctIn(records: Records): readonly string[] {
  const each = records.map(addressIn).filter((address) => address !== undefined);
  return [...new Set(each)].sort();
}
