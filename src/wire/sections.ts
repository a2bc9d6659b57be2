import { className } from './class.ts';
import type { Name } from './name.ts';
import { OPT } from './opt.ts';
import { rdataText } from './rdata/rdata.ts';
import { Reader } from './reader.ts';
import type { ResourceRecord } from './record.ts';
import { PassingRecords, type Records } from './records.ts';
import { typeName } from './type.ts';

/** A section as it was read: its records, without OPT, and the offset of the first. */
export interface Section {
  readonly records: readonly ResourceRecord[];
  readonly offset: number;
}

/** So many records, and characters of their names and data, are kept as objects: the usual reply has fewer. */
const FEW_RECORDS = 64;
const FEW_CHARACTERS = 8_192;

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

function areFew(sections: readonly Section[]): boolean {
  if (sections.reduce((sum, { records }) => sum + records.length, 0) > FEW_RECORDS) return false;
  let characters = 0;
  for (const { records } of sections)
    for (const { name, data } of records) characters += name.length + data.length;
  return characters <= FEW_CHARACTERS;
}

/** They have been read once without an error, so they are again. */
function* readAgain(bytes: Uint8Array, offset: number, count: number): Generator<ResourceRecord> {
  const reader = Reader.of(bytes);
  reader.octets(offset);
  for (let left = count; left > 0; ) {
    const owner = reader.name();
    const type = reader.u16();
    const record = readRecord(reader, owner, type);
    if (type === OPT) continue;
    left -= 1;
    yield record;
  }
}

/** Reads what follows a record's owner and type. */
export function readRecord(reader: Reader, name: Name, typeCode: number): ResourceRecord {
  const type = typeName(typeCode);
  const recordClass = className(reader.u16());
  const ttl = reader.u32();
  const data = rdataText(type, recordClass, reader.data(reader.u16()));
  return {
    name,
    type,
    ...(recordClass !== 'IN' && { class: recordClass }),
    // RFC 2181 8: a TTL with the top bit set counts as zero.
    ttl: ttl > 0x7fff_ffff ? 0 : ttl,
    data,
  };
}
