import { type Name, parseName } from './name.ts';
import { isMisfit } from './rdata/rdata.ts';

/**
 * One resource record as the program handles it everywhere behind the codec: names absolute and
 * lower-case (those inside the data too), data in zone-file presentation format (RFC 1035 5.1),
 * RFC 3597 generic form for what has no other.
 */
export interface ResourceRecord {
  readonly name: Name;
  /** Mnemonic, or "TYPE65280" (RFC 3597 5). */
  readonly type: string;
  /** Absent means IN; otherwise "CH", "HS" or "CLASS4711". */
  readonly class?: string;
  /** Seconds. */
  readonly ttl: number;
  readonly data: string;
}

/**
 * Whether the data are what the record's type calls for. If not, they are kept as they came, in the
 * generic form of RFC 3597, and say nothing: no address, no name, no alias. Data of a type whose
 * format the program does not know fit.
 */
export function fitsType({
  type,
  class: recordClass = 'IN',
  data,
}: Omit<ResourceRecord, 'name' | 'ttl'>): boolean {
  return !isMisfit(type, recordClass, data);
}

/** The name that an NS, CNAME or DNAME record's data is; undefined if the data do not fit the type. */
export function targetOf(record: ResourceRecord): Name | undefined {
  return fitsType(record) ? parseName(record.data) : undefined;
}
