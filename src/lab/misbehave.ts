import type { EncodableQuestion, ReplySpec } from '../wire/encode.ts';
import type { Message } from '../wire/message.ts';
import { nameToWire, parseName } from '../wire/name.ts';
import { chanceOf } from './chance.ts';
import type { Fault, Spoiling, Transport } from './faults.ts';
import { EMPTY } from './reply.ts';
import type { ZoneRecord } from './zone-file.ts';

/** A query as it reached a server's address. */
export interface Received {
  readonly query: Message;
  readonly transport: Transport;
  /** The server's address. */
  readonly address: string;
  /** 1 the first time this question came to this address over this transport, 2 the second, ... */
  readonly count: number;
}

/** Whether the faults make the server leave the query without an answer. */
export function isIgnored(faults: readonly Fault[], received: Received): boolean {
  return faults.some((fault) => {
    switch (fault.kind) {
      case 'dead':
        return true;
      case 'drops-first':
        return received.count <= fault.count;
      case 'loss':
        return chanceOf(`${fault.seed ?? 0} ${describe(received)}`) < fault.ratio;
      case 'rejects-edns':
        return fault.with === 'silence' && received.query.edns !== undefined;
      default:
        return false;
    }
  });
}

function describe({ query, transport, address, count }: Received): string {
  const [question] = query.questions;
  return `${question?.name} ${question?.type} ${transport} ${address} ${count}`;
}

/** The reply as the fault leaves it; faults of silence and of delivery leave it as it is. */
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
    case 'not-authoritative':
      return withoutFlag(reply, 'aa');
    case 'recursion-available':
      return { ...reply, flags: [...reply.flags, 'ra'] };
    case 'truncates':
      return { ...reply, ...EMPTY, flags: [...reply.flags, 'tc'] };
    case 'lowers-case':
      return { ...reply, questions: reply.questions.map(inLowerCase) };
    case 'wrong-id':
    case 'wrong-question':
    case 'garbage':
      return spoil(reply, fault.kind);
    default:
      return reply;
  }
}

/** The reply with another ID or another question; as it is for garbage, which only octets can be. */
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

/** RFC 6891 7: who does not know EDNS has none in the reply; only BADVERS does not exist without. */
function refuseEdns(reply: ReplySpec, rcode: string): ReplySpec {
  const { edns, ...plain } = withoutFlag(reply, 'aa');
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

function inLowerCase(question: EncodableQuestion): EncodableQuestion {
  return { ...question, nameAsSent: question.nameAsSent.toLowerCase() };
}
