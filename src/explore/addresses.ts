/* Reads the addresses in records, and says which types to look up for them. */

import { getOrMake } from '../base/memo.ts';
import type { Family } from '../dns/address.ts';
import { fitsType, type Records, type ResourceRecord } from '../dns/record.ts';

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

/** A family of addresses, and the type of the records that have them. */
interface LookupType {
  readonly family: Family;
  readonly type: 'A' | 'AAAA';
}

const ALL: readonly LookupType[] = [
  { family: 4, type: 'A' },
  { family: 6, type: 'AAAA' },
];

/**
 * The types that a name server's addresses are looked up by, each once. A comes first: svc-model(7),
 * WALKING A STEP 2.4 treats the two differently.
 */
export function lookupTypes(families: readonly Family[]): readonly LookupType[] {
  return ALL.filter(({ family }) => families.includes(family));
}
