/* Keeps the records of a message as octets, and reads each when it is needed. */

import { className, typeName } from './codes.ts';
import { OPT } from './edns.ts';
import type { Name } from './name.ts';
import { rdataOctets, rdataText } from './rdata/rdata.ts';
import { Reader } from './reader.ts';
import { PassingRecords, type Records, type ResourceRecord } from './record.ts';

/**
 * The records of a message's sections as they are kept. Those of a small message are kept as they were
 * read. Of a large one, the octets are kept, and read again when somebody wants records: as objects they
 * would take up to a hundred times as much memory.
 */
export function keepSections(bytes: Uint8Array, sections: readonly Section[]): readonly Records[] {
  if (areFew(sections)) return sections.map(({ records }) => records);
  // What came over TCP is part of a larger buffer.
  const own = Uint8Array.from(bytes);
  return sections.map(({ records: { length }, offset }) =>
    length === 0 ? [] : new PassingRecords(length, () => readAgain(own, offset, length)),
  );
}

/** A section as it was read: its records, without OPT, and the offset of the first. */
export interface Section {
  readonly records: readonly ResourceRecord[];
  readonly offset: number;
}

/** So many records, and characters of their names and data, are kept as objects: the usual reply has fewer. */
const FEW_RECORDS = 64;
const FEW_CHARACTERS = 8_192;

function areFew(sections: readonly Section[]): boolean {
  if (sections.reduce((sum, { records }) => sum + records.length, 0) > FEW_RECORDS) return false;
  let characters = 0;
  for (const { records } of sections)
    for (const { name, data } of records) characters += name.length + data.length;
  return characters <= FEW_CHARACTERS;
}

function* readAgain(bytes: Uint8Array, offset: number, count: number): Generator<ResourceRecord> {
  const message = Reader.again(bytes);
  const passing = message.at(offset);
  for (let left = count; left > 0; ) {
    const owner = passing.offset;
    passing.skipName();
    const rest = passing.offset;
    const type = passing.u16();
    passing.skip(CLASS_AND_TTL);
    passing.skip(passing.u16());
    if (type === OPT) continue;
    left -= 1;
    yield new RecordInMessage(message, owner, rest);
  }
}

/** Octets between the type and the length of the data. */
const CLASS_AND_TTL = 6;

/** A record of a message that has been read before. Only what is asked for is read again. */
class RecordInMessage implements ResourceRecord {
  readonly #message: Reader;
  readonly #owner: number;
  readonly #rest: number;

  /** The owner is at one octet, the rest, which begins with the type, at the other. */
  constructor(message: Reader, owner: number, rest: number) {
    this.#message = message;
    this.#owner = owner;
    this.#rest = rest;
  }

  get name(): Name {
    return this.#message.at(this.#owner).name();
  }

  get type(): string {
    return typeName(this.#message.at(this.#rest).u16());
  }

  get class(): string | undefined {
    const recordClass = className(this.#message.at(this.#rest + 2).u16());
    return recordClass === 'IN' ? undefined : recordClass;
  }

  get ttl(): number {
    return readTtl(this.#message.at(this.#rest + 4));
  }

  get data(): string {
    const rest = this.#message.at(this.#rest);
    const type = typeName(rest.u16());
    const recordClass = className(rest.u16());
    rest.skip(4);
    return rdataText(type, recordClass, rest.data(rest.u16()));
  }

  get octets(): Uint8Array | undefined {
    const rest = this.#message.at(this.#rest);
    const type = typeName(rest.u16());
    const recordClass = className(rest.u16());
    rest.skip(4);
    return rdataOctets(type, recordClass, rest.data(rest.u16()));
  }

  /** All of it at once. */
  toJSON(): ResourceRecord {
    const rest = this.#message.at(this.#rest);
    const type = rest.u16();
    return readRecord(rest, this.name, type);
  }
}

/** Reads what follows a record's owner and type. */
export function readRecord(reader: Reader, name: Name, typeCode: number): ResourceRecord {
  const type = typeName(typeCode);
  const recordClass = className(reader.u16());
  const ttl = readTtl(reader);
  const data = rdataText(type, recordClass, reader.data(reader.u16()));
  return {
    name,
    type,
    ...(recordClass !== 'IN' && { class: recordClass }),
    ttl,
    data,
  };
}

function readTtl(reader: Reader): number {
  const ttl = reader.u32();
  // RFC 2181 8: a TTL with the top bit set counts as zero.
  return ttl > 0x7fff_ffff ? 0 : ttl;
}
