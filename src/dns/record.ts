/* A resource record, and what can be told from its data. */

import { type Name, parseName } from './name.ts';
import { isMisfit, misfitReason } from './rdata/rdata.ts';

/**
 * One resource record as the program handles it everywhere: names absolute and lower-case (those in the data too, but for
 * types that are signed as they are sent), addresses in canonical text (RFC 5952), data in presentation format
 * (RFC 1035 5.1), or in the generic form of RFC 3597 5 if their type has no other or they do not fit it.
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
  /**
   * The data in octets, in canonical form (RFC 4034 6.2), where the record is read from its message each time, they fit its
   * type, and no name in it may be compressed: shorter to come by than their text.
   */
  readonly octets?: Uint8Array | undefined;
}

/**
 * Whether the data fit the record's type. Data that do not are kept as they came, in the generic form
 * of RFC 3597 5, and serve as no address, name or alias (svc-model(7), EXCHANGES). Data of a type whose
 * format the program does not know always fit.
 */
export function fitsType(record: Omit<ResourceRecord, 'name' | 'ttl'>): boolean {
  if (record.octets !== undefined) return true;
  const { type, class: recordClass = 'IN', data } = record;
  return !isMisfit(type, recordClass, data);
}

/** Why the data do not fit the record's type, as a noun phrase with a place; undefined if that cannot be told from them alone. */
export function reasonOfMisfit({
  type,
  class: recordClass = 'IN',
  data,
}: ResourceRecord): string | undefined {
  return misfitReason(type, recordClass, data);
}

/** The name in the data of an NS, CNAME or DNAME record; undefined if the data do not fit the type. */
export function targetOf(record: ResourceRecord): Name | undefined {
  return fitsType(record) ? parseName(record.data) : undefined;
}

/** The data by which records of one type are told apart: names in them compare without case, and so do CAA tags. */
export function comparableData({ type, data }: Pick<ResourceRecord, 'type' | 'data'>): string {
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

/**
 * Records in their order: an array, or octets that are read again each time, so that thousands of records
 * take no more memory than their message. Whoever wants only some picks them in one pass.
 */
export interface Records extends Iterable<ResourceRecord> {
  readonly length: number;
  readonly map: <T>(each: (record: ResourceRecord) => T) => T[];
  readonly filter: (isWanted: (record: ResourceRecord) => boolean) => ResourceRecord[];
  readonly find: (isWanted: (record: ResourceRecord) => boolean) => ResourceRecord | undefined;
  readonly some: (isWanted: (record: ResourceRecord) => boolean) => boolean;
}

/** Whether records are objects already. */
export function areObjects(records: Records): records is readonly ResourceRecord[] {
  return Array.isArray(records);
}

/** Records that are made anew each time they are looked at, never all at once unless somebody keeps them. */
export class PassingRecords implements Records {
  readonly #pass: () => Iterable<ResourceRecord>;
  readonly length: number;

  /** `pass` must give `length` records each time. */
  constructor(length: number, pass: () => Iterable<ResourceRecord>) {
    this.length = length;
    this.#pass = pass;
  }

  [Symbol.iterator](): Iterator<ResourceRecord> {
    return this.#pass()[Symbol.iterator]();
  }

  map<T>(each: (record: ResourceRecord) => T): T[] {
    const made: T[] = [];
    for (const record of this) made.push(each(record));
    return made;
  }

  filter(isWanted: (record: ResourceRecord) => boolean): ResourceRecord[] {
    const wanted: ResourceRecord[] = [];
    for (const record of this) if (isWanted(record)) wanted.push(record);
    return wanted;
  }

  find(isWanted: (record: ResourceRecord) => boolean): ResourceRecord | undefined {
    for (const record of this) if (isWanted(record)) return record;
    return undefined;
  }

  some(isWanted: (record: ResourceRecord) => boolean): boolean {
    return this.find(isWanted) !== undefined;
  }

  /** As JSON they are a list like any other. */
  toJSON(): readonly ResourceRecord[] {
    return [...this];
  }
}

/** The records that are wanted, kept in the way in which `records` are. */
export function recordsWhere(records: Records, isWanted: (record: ResourceRecord) => boolean): Records {
  if (areObjects(records)) return records.filter(isWanted);
  let count = 0;
  for (const record of records) if (isWanted(record)) count += 1;
  return new PassingRecords(count, () => picked(records, isWanted));
}

function* picked(records: Records, isWanted: (record: ResourceRecord) => boolean): Generator<ResourceRecord> {
  for (const record of records) if (isWanted(record)) yield record;
}

/** What an SOA record tells of a version of a zone (RFC 1035 3.3.13). */
export interface Soa {
  /** MNAME, in the spelling of record data. */
  readonly primary: string;
  readonly serial: number;
  /** Seconds after which secondaries look for a new version. */
  readonly refresh: number;
  /** Seconds for which a denial may be kept at most (RFC 2308 4). */
  readonly minimum: number;
}

/** The fields of an SOA record. The data of a saved result may be anything. */
export function soaIn({ type, data }: Pick<ResourceRecord, 'type' | 'data'>): Soa | undefined {
  const [primary = '', , ...numbers] = data.split(' ');
  const [serial = Number.NaN, refresh = Number.NaN, , , minimum = Number.NaN] = numbers.map(Number);
  const isSound = type === 'SOA' && [serial, refresh, minimum].every(Number.isInteger);
  return isSound ? { primary, serial, refresh, minimum } : undefined;
}

/** Whether a serial is older than another: serials wrap around at 32 bits (RFC 1982 3.2). */
export function isOlderSerial(serial: number, than: number): boolean {
  const ahead = (than - serial) >>> 0;
  return ahead > 0 && ahead < 2 ** 31;
}
