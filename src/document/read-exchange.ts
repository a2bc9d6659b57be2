import type { Exchanged, Failure, Reply } from '../exchanged.ts';
import {
  array,
  boolean,
  either,
  number,
  object,
  oneOf,
  optional,
  parsed,
  type Shape,
  text,
} from '../shape.ts';
import { parseAddress } from '../wire/address.ts';
import type { Edns, Flag } from '../wire/message.ts';
import { parseName } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import { fitsType, type ResourceRecord } from '../wire/record.ts';
import { typeCode } from '../wire/type.ts';

/** An address, in canonical text. */
export const readAddress: Shape<string> = parsed((value) => {
  const address = parseAddress(value);
  if (address === undefined) throw new Error('must be an IPv4 or IPv6 address');
  return address;
});

const readType: Shape<string> = parsed((value) => {
  if (typeCode(value) === undefined) throw new Error('must be a record type');
  return value;
});

/** A question: name and type. */
export const readQuestion: Shape<Question> = object({ name: parsed(parseName), type: readType });

/** A flag of a message's header. */
export const readFlag: Shape<Flag> = oneOf('qr', 'aa', 'tc', 'rd', 'ra', 'ad', 'cd');

/** What an OPT record said. */
export const readEdns: Shape<Edns> = object({
  version: number,
  payloadSize: number,
  do: boolean,
  options: array(object({ code: number, data: text })),
});

/** One exchange of a saved result, as it was recorded. */
export const readExchange: Shape<Exchanged> = (value, pointer) => {
  const { server, question, transport, tries, elapsedMs, traffic } = EXCHANGE(value, pointer);
  const outcome = OUTCOME(value, pointer);
  return { address: server.address, question, outcome, transport, tries, elapsedMs, traffic };
};

/** Data that the program reads names or addresses from are what the type says, or marked as what does not fit it. */
const readRecord: Shape<ResourceRecord> = (value, pointer) => {
  const record = RECORD(value, pointer);
  if (!fitsType(record)) return record;
  if (['NS', 'CNAME', 'DNAME'].includes(record.type)) parsed(parseName)(record.data, `${pointer}/data`);
  if (record.class === undefined && ['A', 'AAAA'].includes(record.type))
    readAddress(record.data, `${pointer}/data`);
  return record;
};

const RECORD = object({
  name: parsed(parseName),
  type: readType,
  class: optional(text),
  ttl: number,
  data: text,
});

const REPLY: Shape<Reply> = (value, pointer) => ({ kind: 'reply', ...REPLY_MEMBERS(value, pointer) });

const REPLY_MEMBERS = object({
  rcode: text,
  flags: array(readFlag),
  rttMs: number,
  bytes: number,
  edns: optional(readEdns),
  answer: array(readRecord),
  authority: array(readRecord),
  additional: array(readRecord),
});

const FAILURE: Shape<Failure> = (value, pointer) => {
  const { failure, failureDetail } = FAILURE_MEMBERS(value, pointer);
  return { kind: failure, ...(failureDetail === undefined ? {} : { detail: failureDetail }) };
};

const FAILURE_MEMBERS = object({
  failure: oneOf('malformed', 'unreachable', 'timeout'),
  failureDetail: optional(text),
});

const OUTCOME: Shape<Reply | Failure> = (value, pointer) => {
  const failed = object({ failure: optional(text) })(value, pointer).failure !== undefined;
  return failed ? FAILURE(value, pointer) : REPLY(value, pointer);
};

const TRY_REPLY = object({ kind: oneOf('reply'), rcode: text, truncated: boolean, bytes: number });
const TRY_UNREACHABLE = object({ kind: oneOf('unreachable'), code: text });
const TRY_OTHER = object({ kind: oneOf('case-mismatch', 'timeout', 'closed') });

const EXCHANGE = object({
  server: object({ address: readAddress }),
  question: readQuestion,
  transport: oneOf('udp', 'tcp'),
  elapsedMs: number,
  tries: array(
    object({
      transport: oneOf('udp', 'tcp'),
      edns: boolean,
      nameCase: oneOf('mixed', 'lower'),
      sentMs: number,
      elapsedMs: number,
      outcome: either(TRY_REPLY, either(TRY_UNREACHABLE, TRY_OTHER)),
      ignored: array(
        object({
          reason: oneOf('wrong-id', 'wrong-question', 'undecodable', 'not-a-reply'),
          detail: optional(text),
          bytes: number,
          head: text,
        }),
      ),
    }),
  ),
  traffic: object({
    packetsSent: number,
    packetsReceived: number,
    bytesSent: number,
    bytesReceived: number,
  }),
});
