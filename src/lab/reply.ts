import { type Answer, answerFrom, bare, secured, zoneFor } from '../authority/answer.ts';
import type { Zone } from '../authority/zone.ts';
import { NSID } from '../dns/edns.ts';
import type { ReplySpec } from '../dns/encode.ts';
import type { AskedQuestion, Edns, Flag, Message, Question } from '../dns/message.ts';
import { type Name, ROOT } from '../dns/name.ts';
import { encodeRdata } from '../dns/rdata/rdata.ts';
import { quotedOctets } from '../dns/rdata/words.ts';
import type { LabZone } from './signing/lab-security.ts';
import type { SigningFault } from './signing/zone-signing.ts';

/** A server's reply to a query (RFC 1034 4.3.2, RFC 6891, RFC 4035 3.1), faultless but for what it signs. */
export function replyTo(contents: Contents, query: Message, faults: readonly SigningFault[] = []): ReplySpec {
  const { rcode, authoritative, assertions: _, ...sections } = answerTo(contents, query, faults);
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

/** The reply with the NS records of the zone that answers and the addresses of its servers, as BIND adds them. */
export function withOwnNs(
  reply: ReplySpec,
  { zones }: Contents,
  { questions: [question] }: Message,
): ReplySpec {
  const zone = question && zoneFor(zones, question);
  if (zone === undefined || reply.answer.length === 0 || question?.type === 'NS') return reply;
  const { answer, additional } = answerFrom([zone], { name: zone.apex, type: 'NS' });
  return { ...reply, authority: answer, additional };
}

/** What a server has to answer from. */
export interface Contents {
  readonly zones: readonly Zone[];
  /** The same, those that are signed with what signing adds. */
  readonly securedZones: () => readonly LabZone[];
  readonly identity: Identity;
}

/** The largest query, in octets, that a lab server accepts over UDP: the usual size since 2020. */
const PAYLOAD_SIZE = 1232;

function answerTo(contents: Contents, query: Message, faults: readonly SigningFault[]): Answer {
  const [question] = query.questions;
  if (query.opcode !== 0) return bare('NOTIMP');
  if (question === undefined || query.questions.length > 1) return bare('FORMERR');
  // RFC 6891 6.1.3.
  if (query.edns !== undefined && query.edns.version > 0) return bare('BADVERS');
  if (question.class === 'CH') return chaosAnswer(contents.identity, question);
  const isTransfer = question.type === 'AXFR' || question.type === 'IXFR';
  if (question.class !== 'IN' || isTransfer) return bare('REFUSED');
  const wantsSignatures = query.edns?.do === true || question.type === 'RRSIG';
  if (!wantsSignatures)
    return answerFrom(ofSigning(question) ? contents.securedZones() : contents.zones, question);
  const whole = contents.securedZones();
  const zones = faults.length === 0 ? whole : whole.map((zone) => zone.spoilt?.(faults, question) ?? zone);
  return secured(answerFrom(zones, question), zones, question);
}

/** RFC 4035 3.1.4.1, 3.1.5: who asks for what signing adds gets it, with DO or without. */
function ofSigning({ type }: AskedQuestion): boolean {
  return ['DNSKEY', 'DS', 'NSEC', 'NSEC3PARAM'].includes(type);
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

/** What a server tells about itself. Questions for what is absent are refused. */
export interface Identity {
  /** Text of version.bind and version.server. */
  readonly version?: string;
  /** Text of hostname.bind, and of id.server if there is no id. */
  readonly hostname?: string;
  /** Text of id.server (RFC 4892). */
  readonly id?: string;
  /** Text of the NSID option (RFC 5001). */
  readonly nsid?: string;
}

/** The answer to a question of class CHAOS (RFC 4892 for id.server; the rest follows BIND). */
function chaosAnswer(identity: Identity, { name, type }: Question): Answer {
  const text = textFor(identity, name);
  if (text === undefined || (type !== 'TXT' && type !== 'ANY')) return bare('REFUSED');
  const record = {
    name,
    type: 'TXT',
    class: 'CH',
    ttl: 0,
    rdata: encodeRdata('TXT', quotedOctets(Buffer.from(text)), ROOT),
  };
  return { ...bare('NOERROR'), authoritative: true, answer: [record] };
}

function textFor(identity: Identity, name: Name): string | undefined {
  switch (String(name)) {
    case 'version.bind.':
    case 'version.server.':
      return identity.version;
    case 'hostname.bind.':
      return identity.hostname;
    case 'id.server.':
      return identity.id ?? identity.hostname;
    default:
      return undefined;
  }
}
