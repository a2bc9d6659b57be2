/* Applies a fault to the reply of a server in the lab. */

import type { ZoneRecord } from '../authority/zone-file.ts';
import type { EncodableQuestion, EncodableRecord, ReplySpec } from '../dns/encode.ts';
import type { Edns, Message } from '../dns/message.ts';
import { nameToWire, parseName } from '../dns/name.ts';
import { chanceAt, type Fault, type Received, type Spoiling } from './faults.ts';
import { EMPTY } from './reply.ts';

/** The reply with the fault. Faults of silence, of delivery and of signing do not change it. */
export function misbehave(reply: ReplySpec, fault: Fault, query: Message): ReplySpec {
  switch (fault.kind) {
    case 'rejects-edns':
      return query.edns === undefined || fault.with === 'silence' ? reply : refuseEdns(reply, fault.with);
    case 'rcode':
      return { ...withoutFlag(reply, 'aa'), ...EMPTY, rcode: fault.rcode };
    case 'lame':
      return { ...withoutFlag(reply, 'aa'), ...EMPTY, rcode: 'NOERROR', authority: nsRecords(fault) };
    case 'empty':
      return { ...withoutFlag(reply, 'aa'), ...EMPTY, rcode: 'NOERROR' };
    case 'without-authority':
      return { ...reply, authority: [] };
    case 'answers-other-name':
      return { ...reply, ...EMPTY, rcode: 'NOERROR', answer: [OTHER_RECORD] };
    case 'not-authoritative':
      return withoutFlag(reply, 'aa');
    case 'recursion-available':
      return { ...reply, flags: [...reply.flags, 'ra'] };
    case 'recurses':
      return recurse(reply, query);
    case 'denies-nodata':
      return isNodata(reply) ? { ...reply, rcode: 'NXDOMAIN' } : reply;
    case 'echoes-options':
      return reply.edns && query.edns ? { ...reply, edns: withOptions(reply.edns, query.edns) } : reply;
    case 'truncates':
      return { ...reply, ...EMPTY, flags: [...reply.flags, 'tc'] };
    case 'lowers-case':
      return {
        ...reply,
        questions: reply.questions.map((one) => ({ ...one, nameAsSent: one.nameAsSent.toLowerCase() })),
      };
    case 'wrong-id':
    case 'wrong-question':
    case 'garbage':
      return spoil(reply, fault.kind);
    case 'cuts-data':
      return withCutData(reply, fault.type);
    case 'brings-own-ns':
    case 'dead':
    case 'drops-first':
    case 'loss':
    case 'ignores-edns-version':
    case 'ignores-do':
    case 'flawed-signatures':
    case 'wrong-ds':
    case 'omits-ds':
    case 'omits-proof':
    case 'wrong-proof':
    case 'decoy':
    case 'duplicates':
    case 'latency':
    case 'jitter':
    case 'reorders':
    case 'tcp-closes':
    case 'tcp-segments':
    case 'closed-port':
      return reply;
  }
}

/** Whether a fault makes the server ignore the query. */
export function ignores(fault: Fault, received: Received): boolean {
  switch (fault.kind) {
    case 'dead':
      return true;
    case 'drops-first':
      return received.count <= fault.count;
    case 'loss':
      return chanceAt(received, fault.seed) < fault.ratio;
    case 'rejects-edns':
      return fault.with === 'silence' && received.query.edns !== undefined;
    case 'rcode':
    case 'lame':
    case 'empty':
    case 'brings-own-ns':
    case 'without-authority':
    case 'answers-other-name':
    case 'not-authoritative':
    case 'recursion-available':
    case 'recurses':
    case 'denies-nodata':
    case 'ignores-edns-version':
    case 'ignores-do':
    case 'flawed-signatures':
    case 'wrong-ds':
    case 'omits-ds':
    case 'omits-proof':
    case 'wrong-proof':
    case 'echoes-options':
    case 'truncates':
    case 'lowers-case':
    case 'cuts-data':
    case 'wrong-id':
    case 'wrong-question':
    case 'garbage':
    case 'decoy':
    case 'duplicates':
    case 'latency':
    case 'jitter':
    case 'reorders':
    case 'tcp-closes':
    case 'tcp-segments':
    case 'closed-port':
      return false;
  }
}

/** The query as the server with the fault reads it. */
export function misread(query: Message, fault: Fault): Message {
  if (query.edns === undefined) return query;
  if (fault.kind === 'ignores-edns-version') return { ...query, edns: { ...query.edns, version: 0 } };
  if (fault.kind === 'ignores-do') return { ...query, edns: { ...query.edns, do: false } };
  return query;
}

function recurse(reply: ReplySpec, { questions: [question], flags }: Message): ReplySpec {
  const offering: ReplySpec = { ...reply, flags: [...reply.flags, 'ra'] };
  if (question === undefined || !flags.includes('rd') || reply.rcode !== 'REFUSED') return offering;
  return { ...offering, rcode: 'NOERROR', answer: [{ name: question.name, ...CACHED_SOA }] };
}

/** Both names are the root, and all five numbers are 0. */
const CACHED_SOA = { type: 'SOA', ttl: 300, rdata: new Uint8Array(22) } as const;

const OTHER_RECORD: EncodableRecord = {
  name: parseName('not-asked.invalid.'),
  type: 'A',
  ttl: 300,
  rdata: Uint8Array.of(192, 0, 2, 99),
};

function isNodata({ rcode, answer, flags }: ReplySpec): boolean {
  return rcode === 'NOERROR' && answer.length === 0 && flags.includes('aa');
}

function withOptions(edns: Edns, { options }: Edns): Edns {
  return { ...edns, options: [...edns.options, ...options] };
}

function withCutData(reply: ReplySpec, type: string): ReplySpec {
  const cut = (records: readonly EncodableRecord[]) =>
    records.map((record) =>
      record.type === type ? { ...record, rdata: record.rdata.subarray(0, -1) } : record,
    );
  const { answer, authority, additional } = reply;
  return { ...reply, answer: cut(answer), authority: cut(authority), additional: cut(additional) };
}

/** The reply with another ID or another question. Garbage does not change it: only octets can be garbage. */
export function spoil(reply: ReplySpec, spoiling: Spoiling): ReplySpec {
  switch (spoiling) {
    case 'wrong-id':
      return { ...reply, id: reply.id ^ 0x5555 };
    case 'wrong-question':
      return { ...reply, questions: [OTHER_QUESTION] };
    case 'garbage':
      return reply;
  }
}

const OTHER_QUESTION: EncodableQuestion = { nameAsSent: 'not-asked.invalid.', type: 'A', class: 'IN' };

/** RFC 6891 7: a server that does not know EDNS has none in its reply; but one that dislikes it may. */
function refuseEdns(reply: ReplySpec, rcode: string): ReplySpec {
  const { edns, ...plain } = withoutFlag(reply, 'aa');
  if (rcode === 'FORMERR-with-OPT') return { ...plain, ...EMPTY, rcode: 'FORMERR', ...(edns && { edns }) };
  return { ...plain, ...EMPTY, rcode, ...(rcode === 'BADVERS' && edns && { edns }) };
}

function withoutFlag(reply: ReplySpec, flag: 'aa'): ReplySpec {
  return { ...reply, flags: reply.flags.filter((set) => set !== flag) };
}

function nsRecords({ zone, ns }: { readonly zone: string; readonly ns: readonly string[] }): ZoneRecord[] {
  const owner = parseName(zone);
  return ns.map((server) => {
    const target = parseName(server);
    return { name: owner, type: 'NS', ttl: 3600, rdata: nameToWire(target), target };
  });
}
