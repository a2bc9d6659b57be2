import { type Name, parseName } from './name.ts';
import { isMisfit } from './rdata/rdata.ts';

/**
 * One resource record as the program handles it everywhere: names absolute and lower-case (those in
 * the data too, but for types that are signed as they are sent), addresses in canonical text (RFC 5952), data in presentation format (RFC 1035 5.1), or
 * in the generic form of RFC 3597 5 if their type has no other or they do not fit it.
 */
export interface ResourceRecord {
  readonly name: Name;
  /** Mnemonic, or "TYPE65280" (RFC 3597 5). */
  readonly type: string;
  /** Absent means IN; otherwise "CH", "HS" or "CLASS4711". */
  readonly class?: string | undefined;
  /** Seconds. */
  readonly ttl: number;
  readonly data: string;
}

/**
 * Whether the data fit the record's type. Data that do not are kept as they came, in the generic form
 * of RFC 3597 5, and serve as no address, name or alias (svc-model(7), EXCHANGES). Data of a type whose
 * format the program does not know always fit.
 */
export function fitsType({
  type,
  class: recordClass = 'IN',
  data,
}: Omit<ResourceRecord, 'name' | 'ttl'>): boolean {
  return !isMisfit(type, recordClass, data);
}

/** The name in the data of an NS, CNAME or DNAME record; undefined if the data do not fit the type. */
export function targetOf(record: ResourceRecord): Name | undefined {
  return fitsType(record) ? parseName(record.data) : undefined;
}

/** The data by which records of one type are told apart: names in them compare without case, and so do CAA tags. */
export function comparableData({ type, data }: ResourceRecord): string {
  const cased = CASED_WORD[type];
  if (cased === undefined) return data;
  return data.replace(cased, (word) => word.toLowerCase());
}

/** The first or the second word, in types that keep the case of what compares without (RFC 9460 2.5, RFC 8659 4.1). */
const CASED_WORD: Readonly<Record<string, RegExp>> = {
  NSEC: /^\S+/,
  SVCB: /(?<=^\d+ )\S+/,
  HTTPS: /(?<=^\d+ )\S+/,
  CAA: /(?<=^\d+ )\S+/,
};
