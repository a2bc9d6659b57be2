import { withLength } from '../exchange/tcp.ts';
import type { Transport } from '../exchanged.ts';
import { encodeMessage, type ReplySpec } from '../wire/encode.ts';
import { type Fault, faultsFor, type Spoiling } from './faults.ts';
import { isIgnored, misbehave, type Received, spoil } from './misbehave.ts';
import { type Contents, EMPTY, replyTo, udpLimit } from './reply.ts';

/** What goes out at one moment: a datagram, or a segment of a TCP stream. */
interface Outgoing {
  readonly octets: Uint8Array;
  /** Milliseconds after the query came in. */
  readonly afterMs: number;
}

/** What a server does about one query. */
export interface Reaction {
  readonly sends: readonly Outgoing[];
  /** What happens to a TCP connection. */
  readonly afterwards: 'stay' | 'close';
}

/** A server without its sockets. */
export interface Behaviour extends Contents {
  readonly faults: readonly Fault[];
}

/** A server that says nothing. */
export const SILENCE: Reaction = { sends: [], afterwards: 'stay' };

/** What a server with these zones and faults does about a query. Over TCP the octets begin with their length. */
export function reactionTo(received: Received, behaviour: Behaviour): Reaction {
  const faults = faultsOf(behaviour, received);
  if (isIgnored(faults, received)) return SILENCE;
  const messages = messagesFor(behaviour, faults, received);
  const afterMs = faults.reduce((sum, fault) => sum + (fault.kind === 'latency' ? fault.ms : 0), 0);
  if (received.transport === 'udp')
    return { sends: messages.map((octets) => ({ octets, afterMs })), afterwards: 'stay' };
  return streamReaction(Buffer.concat(messages.map(withLength)), faults, afterMs);
}

/** What any server does about octets that it cannot decode: FORMERR if they have at least a header (RFC 1035 4.1.1). */
export function reactionToUndecodable(octets: Uint8Array, transport: Transport): Reaction {
  const [idHigh = 0, idLow = 0, bits] = octets;
  if (bits === undefined || octets.length < HEADER_OCTETS || bits >= QR_BIT) return SILENCE;
  const id = (idHigh << 8) | idLow;
  const reply = encodeMessage({
    id,
    opcode: bits >> 3,
    flags: ['qr'],
    rcode: 'FORMERR',
    questions: [],
    ...EMPTY,
  });
  return {
    sends: [{ octets: transport === 'udp' ? reply : withLength(reply), afterMs: 0 }],
    afterwards: 'stay',
  };
}

const HEADER_OCTETS = 12;
/** In the third octet, before the opcode. */
const QR_BIT = 0x80;

function faultsOf({ faults }: Behaviour, { query, transport, address }: Received): Fault[] {
  const [question] = query.questions;
  return question === undefined ? [] : faultsFor(faults, { question, transport, address });
}

/** The decoys, then the reply, encoded. */
function messagesFor(contents: Contents, faults: readonly Fault[], received: Received): Uint8Array[] {
  const { query, transport } = received;
  const right = replyTo(contents, query);
  const reply = faults.reduce((spoilt, fault) => misbehave(spoilt, fault, query), right);
  const limit = transport === 'udp' ? udpLimit(query) : MOST_OCTETS;
  const isGarbage = faults.some((fault) => fault.kind === 'garbage');
  const decoys = faults.flatMap((fault) => (fault.kind === 'decoy' ? [decoy(reply, fault.as, limit)] : []));
  return [...decoys, isGarbage ? garbage(reply.id) : encodeMessage(reply, limit)];
}

/** The most that a length of two octets can announce. */
const MOST_OCTETS = 65_535;

function decoy(reply: ReplySpec, as: Spoiling, limit: number): Uint8Array {
  return as === 'garbage' ? garbage(reply.id) : encodeMessage(spoil(reply, as), limit);
}

/** The right ID, then a header that promises 65,535 records in each section, then nothing. */
function garbage(id: number): Uint8Array {
  return Uint8Array.of(id >> 8, id & 0xff, ...new Array(18).fill(0xff));
}

function streamReaction(stream: Uint8Array, faults: readonly Fault[], afterMs: number): Reaction {
  const closes = faults.find((fault) => fault.kind === 'tcp-closes');
  const segments = faults.find((fault) => fault.kind === 'tcp-segments');
  const whole = closes === undefined ? stream : stream.subarray(0, closes.after);
  const size = Math.max(1, segments?.octets ?? whole.length);
  const count = Math.ceil(whole.length / size);
  // A millisecond between segments, so that the network does not join them again.
  const sends = Array.from({ length: count }, (_, index) => ({
    octets: whole.subarray(index * size, (index + 1) * size),
    afterMs: afterMs + index,
  }));
  return { sends, afterwards: closes === undefined ? 'stay' : 'close' };
}
