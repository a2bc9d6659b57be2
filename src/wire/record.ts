import { type Name, parseName } from './name.ts';

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

/** The name that an NS, CNAME or DNAME record's data is. */
export function targetOf(record: ResourceRecord): Name {
  return parseName(record.data);
}
