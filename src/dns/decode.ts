import { toLatin1 } from '../base/encodings.ts';
import { Recent } from '../base/memo.ts';
import { className, rcodeName, typeName } from './codes.ts';
import { OPT, type Opt, readOpt } from './edns.ts';
import { type AskedQuestion, flagsOf, type Message } from './message.ts';
import { type Name, ROOT } from './name.ts';
import { rdataOctets, rdataText } from './rdata/rdata.ts';
import { Reader } from './reader.ts';
import { PassingRecords, type Records, type ResourceRecord } from './record.ts';

/**
 * Decodes exactly one DNS message. Throws DecodeError, and nothing else, if its structure cannot be
 * read (header, counts, names, compression, lengths), which includes the OPT record's options, and if
 * octets follow it. Data that do not fit their record's type are kept as they came (see fitsType).
 * Work and result are bounded by the length of the message, whatever its counts and pointers say.
 */
export function decodeMessage(bytes: Uint8Array): Message {
  const reader = Reader.of(bytes);
  const id = reader.u16();
  const bits = reader.u16();
  const counts = readCounts(reader);
  const questions = counts.questions === 1 ? [readQuestion(reader)] : [];
  const [question] = questions;
  const { answer, authority, additional, opt } =
    question === undefined || bytes.length > LARGE
      ? readSections(reader, bytes, counts)
      : sharedSections(reader, bytes, counts, question);
  return {
    id,
    opcode: (bits >> 11) & 15,
    flags: flagsOf(bits),
    // RFC 6891 6.1.3: the OPT record has the rcode's upper bits.
    rcode: rcodeName((bits & 15) | ((opt?.extendedRcode ?? 0) << 4)),
    questions,
    answer,
    authority,
    additional,
    ...(opt && { edns: opt.edns }),
  };
}

/** The sections of the messages that were read last, by the text of these messages. */
const recent = new Recent<Sections>(128);

/** Messages with more octets are not remembered. */
const LARGE = 4096;

const TYPE_AND_CLASS = 4;

/**
 * The sections, one object for equal messages: servers of a zone send the same octets but for ID, flags and, with 0x20,
 * the case of letters in the question. So a recording keeps their records once, and findings and validation look at
 * them once.
 */
function sharedSections(
  reader: Reader,
  bytes: Uint8Array,
  counts: Counts,
  { name }: AskedQuestion,
): Sections {
  const { answer, authority, additional } = counts;
  const rest = toLatin1(bytes.subarray(reader.offset - TYPE_AND_CLASS));
  const key = `${name} ${answer} ${authority} ${additional} ${rest}`;
  return recent.getOrMake(key, () => readSections(reader, bytes, counts));
}

/** A message without its header and its question. */
interface Sections {
  readonly answer: Records;
  readonly authority: Records;
  readonly additional: Records;
  readonly opt: Opt | undefined;
}

function readSections(reader: Reader, bytes: Uint8Array, counts: Counts): Sections {
  const opts: Opt[] = [];
  const section = (count: number, optsHere?: Opt[]): Section => {
    const { offset } = reader;
    return { records: readRecords(reader, count, optsHere), offset };
  };
  const sections = [section(counts.answer), section(counts.authority), section(counts.additional, opts)];
  if (reader.remaining > 0) reader.fail('octets after the end of the message');
  const [answer = [], authority = [], additional = []] = keepSections(bytes, sections);
  const [opt] = opts;
  return { answer, authority, additional, opt };
}

/** How many questions and records a message announces. */
interface Counts {
  readonly questions: number;
  readonly answer: number;
  readonly authority: number;
  readonly additional: number;
}

/** Owner of one octet, type, class, TTL and length. */
const LEAST_RECORD = 11;
/** The longest message has room for no more address records than this. */
const MAX_RECORDS = 4096;

function readCounts(reader: Reader): Counts {
  const questions = reader.u16();
  const [answer, authority, additional] = [reader.u16(), reader.u16(), reader.u16()];
  const records = answer + authority + additional;
  if (questions > 1) reader.fail('more than one question');
  if (records > MAX_RECORDS) reader.fail(`more than ${MAX_RECORDS} records`);
  if (records * LEAST_RECORD > reader.remaining) reader.fail('more records than the message has room for');
  return { questions, answer, authority, additional };
}

function readQuestion(reader: Reader): AskedQuestion {
  const nameAsSent = reader.nameAsSent();
  const type = typeName(reader.u16());
  return { name: nameAsSent.toLowerCase() as Name, nameAsSent, type, class: className(reader.u16()) };
}

/** Reads a section. An OPT record goes to `opts`; where that is absent it is an error (RFC 6891 6.1.1). */
function readRecords(reader: Reader, count: number, opts?: Opt[]): ResourceRecord[] {
  const records: ResourceRecord[] = [];
  for (let i = 0; i < count; i += 1) {
    const owner = reader.name();
    const type = reader.u16();
    if (type !== OPT) {
      records.push(readRecord(reader, owner, type));
    } else {
      if (opts?.length !== 0) reader.fail('OPT record outside the additional section, or a second one');
      if (owner !== ROOT) reader.fail('OPT record whose owner is not the root');
      opts.push(readOpt(reader));
    }
  }
  return records;
}

/**
 * The records of a message's sections as they are kept. Those of a small message are kept as they were
 * read. Of a large one, the octets are kept, and read again when somebody wants records: as objects they
 * would take up to a hundred times as much memory.
 */
function keepSections(bytes: Uint8Array, sections: readonly Section[]): readonly Records[] {
  if (areFew(sections)) return sections.map(({ records }) => records);
  // What came over TCP is part of a larger buffer.
  const octets = Uint8Array.from(bytes);
  return sections.map(({ records: { length }, offset }) =>
    length === 0 ? [] : new SectionRecords({ octets, offset, length }),
  );
}

/** Where the records of a section are. */
export interface SectionPlace {
  /** Of the message. */
  readonly octets: Uint8Array;
  readonly offset: number;
  /** How many records. */
  readonly length: number;
}

/** Records that are read again each time. A copy in another thread is no more than their place. */
class SectionRecords extends PassingRecords implements SectionPlace {
  readonly octets: Uint8Array;
  readonly offset: number;

  constructor({ octets, offset, length }: SectionPlace) {
    super(length, () => readAgain(octets, offset, length));
    this.octets = octets;
    this.offset = offset;
  }
}

/** The records of a section that came from another thread. */
export function recordsOf(section: Records | SectionPlace): Records {
  return 'octets' in section ? new SectionRecords(section) : section;
}

/** A section as it was read: its records, without OPT, and the offset of the first. */
interface Section {
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
function readRecord(reader: Reader, name: Name, typeCode: number): ResourceRecord {
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
