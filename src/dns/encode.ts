import { classCode, rcodeCode, typeCode } from './codes.ts';
import { optLength, writeOpt } from './edns.ts';
import { type AskedQuestion, bitsOf, type Edns, type Flag } from './message.ts';
import { checkLengths, type Name, nameFromLabels, splitLabels } from './name.ts';
import { writeRdata } from './rdata/rdata.ts';
import { Writer } from './writer.ts';

/** Encodes a query. Throws NameError, and RangeError for an unknown type or a number out of range. */
export function encodeQuery(query: QuerySpec): Uint8Array {
  const { id, nameAsSent, type, class: questionClass = 'IN', flags = [], edns } = query;
  const writer = new Writer();
  for (const field of [id, bitsOf(flags), 1, 0, 0, edns === undefined ? 0 : 1]) writer.u16(field);
  const labels = splitLabels(nameAsSent);
  checkLengths(labels);
  writer.labels(labels);
  writeTypeAndClass(writer, type, questionClass);
  if (edns !== undefined) writeOpt(writer, { edns, extendedRcode: 0 });
  return writer.toBytes();
}

/** A query with one question. */
interface QuerySpec {
  readonly id: number;
  /** A Name, its letters in any case: they are sent as they are. */
  readonly nameAsSent: string;
  readonly type: string;
  /** Absent means IN. */
  readonly class?: string;
  /** Absent: none. An authoritative server is asked without 'rd'. */
  readonly flags?: readonly Flag[];
  /** Absent: a query without EDNS. */
  readonly edns?: Edns | undefined;
}

/** One record to be encoded. */
export interface EncodableRecord {
  readonly name: Name;
  readonly type: string;
  /** Absent means IN. */
  readonly class?: string;
  /** Seconds. */
  readonly ttl: number;
  /** As on the wire, names in it uncompressed. */
  readonly rdata: Uint8Array;
}

/** A question to be encoded. That of a decoded message will do, so a reply repeats its case. */
export type EncodableQuestion = Pick<AskedQuestion, 'nameAsSent' | 'type' | 'class'>;

/** A whole message to be encoded, usually a reply. */
export interface ReplySpec {
  readonly id: number;
  /** Absent means 0, QUERY. */
  readonly opcode?: number;
  readonly flags: readonly Flag[];
  /** A mnemonic or "RCODE17"; above 15 only together with `edns`. */
  readonly rcode: string;
  readonly questions: readonly EncodableQuestion[];
  readonly answer: readonly EncodableRecord[];
  readonly authority: readonly EncodableRecord[];
  readonly additional: readonly EncodableRecord[];
  readonly edns?: Edns | undefined;
}

/** The greatest length that TCP's two octets can announce. */
const MAX_MESSAGE = 65_535;
/** Where the header has its flags, and its first count of records. */
const FLAGS_AT = 2;
const COUNTS_AT = 6;

/**
 * Encodes a message, names compressed. If it exceeds `limit` octets, TC is set, and the first RRset
 * that does not fit is left out with all that follow (RFC 2181 9); question and OPT record stay.
 * Throws like encodeQuery.
 */
export function encodeMessage(message: ReplySpec, limit = MAX_MESSAGE): Uint8Array {
  const writer = new Writer();
  const rcode = known(rcodeCode(message.rcode), message.rcode);
  const { edns } = message;
  const extendedRcode = rcode >> 4;
  if (edns === undefined && extendedRcode > 0) throw new RangeError('an rcode above 15 needs EDNS');
  const bits = bitsOf(message.flags) | ((message.opcode ?? 0) << 11) | (rcode & 15);
  for (const field of [message.id, bits, message.questions.length, 0, 0, 0]) writer.u16(field);
  for (const question of message.questions) writeQuestion(writer, question);
  const room = edns === undefined ? limit : limit - optLength(edns.options);
  const written = writeSections(writer, message, room);
  if (edns !== undefined) writeOpt(writer, { edns, extendedRcode });
  if (!written.complete) writer.setU16(FLAGS_AT, bits | bitsOf(['tc']));
  const [answer = 0, authority = 0, additional = 0] = written.counts;
  writer.setU16(COUNTS_AT, answer);
  writer.setU16(COUNTS_AT + 2, authority);
  writer.setU16(COUNTS_AT + 4, additional + (edns === undefined ? 0 : 1));
  return writer.toBytes();
}

function writeQuestion(writer: Writer, question: EncodableQuestion): void {
  const labels = splitLabels(question.nameAsSent);
  writer.labels(labels, nameFromLabels(labels));
  writeTypeAndClass(writer, question.type, question.class);
}

function writeTypeAndClass(writer: Writer, type: string, recordClass: string): void {
  writer.u16(known(typeCode(type), type));
  writer.u16(known(classCode(recordClass), recordClass));
}

function writeSections(writer: Writer, message: ReplySpec, room: number) {
  let complete = true;
  const counts = [message.answer, message.authority, message.additional].map((records) => {
    let count = 0;
    for (const rrset of rrsets(records)) {
      complete &&= writeIfFits(writer, rrset, room);
      if (complete) count += rrset.length;
    }
    return count;
  });
  return { counts, complete };
}

function writeIfFits(writer: Writer, rrset: readonly EncodableRecord[], room: number): boolean {
  const before = writer.length;
  for (const record of rrset) writeRecord(writer, record);
  if (writer.length <= room) return true;
  writer.cutBackTo(before);
  return false;
}

/** Runs of records with the same name, type and class. */
function rrsets(records: readonly EncodableRecord[]): EncodableRecord[][] {
  const runs: EncodableRecord[][] = [];
  for (const record of records) {
    const run = runs.at(-1);
    const [first] = run ?? [];
    const same = first?.name === record.name && first.type === record.type && first.class === record.class;
    if (run !== undefined && same) run.push(record);
    else runs.push([record]);
  }
  return runs;
}

function writeRecord(writer: Writer, record: EncodableRecord): void {
  const recordClass = record.class ?? 'IN';
  writer.name(record.name);
  writeTypeAndClass(writer, record.type, recordClass);
  writer.u32(record.ttl);
  writer.counted(() => writeRdata(writer, record.type, record.rdata));
}

function known(code: number | undefined, mnemonic: string): number {
  if (code === undefined) throw new RangeError(`${mnemonic} is not a known mnemonic`);
  return code;
}
