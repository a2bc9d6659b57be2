import type { ReplySpec } from '../wire/encode.ts';
import type { Edns, Flag, Message } from '../wire/message.ts';
import { NSID } from '../wire/opt.ts';
import { type Answer, answerFrom, bare } from './answer.ts';
import { chaosAnswer, type Identity } from './chaos.ts';
import type { Zone } from './zone.ts';

/** What a server has to answer from. */
export interface Contents {
  readonly zones: readonly Zone[];
  readonly identity: Identity;
}

/** The largest query, in octets, that a lab server accepts over UDP: the usual size since 2020. */
const PAYLOAD_SIZE = 1232;

/** A faultless server's reply to a query (RFC 1034 4.3.2, RFC 6891). */
export function replyTo(contents: Contents, query: Message): ReplySpec {
  const { rcode, authoritative, ...sections } = answerTo(contents, query);
  const echoed: Flag[] = query.flags.includes('rd') ? ['rd'] : [];
  return {
    id: query.id,
    opcode: query.opcode,
    flags: ['qr', ...(authoritative ? (['aa'] as const) : []), ...echoed],
    rcode,
    questions: query.questions,
    ...sections,
    ...(query.edns && { edns: ednsReply(query.edns, contents.identity) }),
  };
}

function answerTo({ zones, identity }: Contents, query: Message): Answer {
  const [question] = query.questions;
  if (query.opcode !== 0) return bare('NOTIMP');
  if (question === undefined || query.questions.length > 1) return bare('FORMERR');
  // RFC 6891 6.1.3.
  if (query.edns !== undefined && query.edns.version > 0) return bare('BADVERS');
  if (question.class === 'CH') return chaosAnswer(identity, question);
  const isTransfer = question.type === 'AXFR' || question.type === 'IXFR';
  return question.class === 'IN' && !isTransfer ? answerFrom(zones, question) : bare('REFUSED');
}

function ednsReply(asked: Edns, { nsid }: Identity): Edns {
  const wantsNsid = asked.options.some((option) => option.code === NSID);
  const options =
    wantsNsid && nsid !== undefined ? [{ code: NSID, data: Buffer.from(nsid).toString('hex') }] : [];
  return { version: 0, payloadSize: PAYLOAD_SIZE, do: asked.do, options };
}

/** The largest reply to this query over UDP, in octets (RFC 6891 6.2.3, RFC 1035 4.2.1). */
export function udpLimit(query: Message): number {
  return Math.min(Math.max(LEAST_LIMIT, query.edns?.payloadSize ?? 0), MOST_LIMIT);
}

const LEAST_LIMIT = 512;
/** The most that servers send, whatever a client accepts. */
const MOST_LIMIT = 4096;

/** Sections without records. */
export const EMPTY = { answer: [], authority: [], additional: [] } as const;
