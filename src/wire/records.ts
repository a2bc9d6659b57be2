import type { Name } from './name.ts';
import type { ResourceRecord } from './record.ts';

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

/** The records that are wanted, by owner. They are kept in the way in which `records` are. */
export function recordsByOwner(
  records: Records,
  isWanted: (record: ResourceRecord) => boolean,
): ReadonlyMap<Name, Records> {
  const wanted = new Map<Name, ResourceRecord[]>();
  const count = new Map<Name, number>();
  const keeps = areObjects(records);
  for (const record of records) {
    if (!isWanted(record)) continue;
    const { name } = record;
    if (!keeps) count.set(name, (count.get(name) ?? 0) + 1);
    else if (wanted.get(name)?.push(record) === undefined) wanted.set(name, [record]);
  }
  if (keeps) return wanted;
  const isOf = (name: Name) => (record: ResourceRecord) => record.name === name && isWanted(record);
  const passing = (name: Name, length: number) =>
    new PassingRecords(length, () => picked(records, isOf(name)));
  return new Map([...count].map(([name, length]) => [name, passing(name, length)]));
}

function* picked(records: Records, isWanted: (record: ResourceRecord) => boolean): Generator<ResourceRecord> {
  for (const record of records) if (isWanted(record)) yield record;
}
