import { Recent } from '../base/memo.ts';
import { className, rcodeName, typeName } from './codes.ts';
import { OPT, type Opt, readOpt } from './edns.ts';
import { type AskedQuestion, flagsOf, type Message } from './message.ts';
import { type Name, ROOT } from './name.ts';
import { Reader } from './reader.ts';
import type { Records, ResourceRecord } from './record.ts';
import { keepSections, readRecord, type Section } from './sections.ts';

/** Owner of one octet, type, class, TTL and length. */
const LEAST_RECORD = 11;
/** The longest message has room for no more address records than this. */
const MAX_RECORDS = 4096;

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
      : sectionsOnce(reader, bytes, counts, question);
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

const MOST_RECENT = 128;
/** The sections of the messages that were read last, and the octets that they were read from. */
const recent = new Recent<{ readonly octets: Uint8Array; readonly sections: Sections }>(MOST_RECENT);

/** Messages with more octets are not remembered. */
const LARGE = 4096;

const TYPE_AND_CLASS = 4;

/**
 * The sections, read once for equal messages: the servers of a zone say the same octet by octet but for the ID, flags
 * and, with 0x20, the case of letters in the question, and names that point there are lower-case anyway.
 */
function sectionsOnce(reader: Reader, bytes: Uint8Array, counts: Counts, { name }: AskedQuestion): Sections {
  const octets = bytes.subarray(reader.offset - TYPE_AND_CLASS);
  const { answer, authority, additional } = counts;
  const key = `${name} ${answer} ${authority} ${additional} ${checksum(octets)}`;
  const known = recent.getOrMake(key, () => ({
    octets: octets.slice(),
    sections: readSections(reader, bytes, counts),
  }));
  return areEqual(known.octets, octets) ? known.sections : readSections(reader, bytes, counts);
}

/** FNV-1a of every third octet: messages that differ elsewhere alone are rare, and are only read again. */
function checksum(octets: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < octets.length; at += 3) hash = Math.imul(hash ^ (octets[at] ?? 0), 0x01000193);
  return hash;
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/** What a message has besides its header and its question. */
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
