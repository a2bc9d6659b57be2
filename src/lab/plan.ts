import { withLength } from '../exchange/tcp.ts';
import { encodeMessage, type ReplySpec } from '../wire/encode.ts';
import { type Fault, faultsFor, type Spoiling, type Transport } from './faults.ts';
import { isIgnored, misbehave, type Received, spoil } from './misbehave.ts';
import { type Contents, EMPTY, replyTo, udpLimit } from './reply.ts';

/** What goes out at one moment: a datagram, or a segment of a TCP stream. */
export interface Send {
  readonly octets: Uint8Array;
  /** Counted from when the query came in. */
  readonly afterMs: number;
}

/** What a server does about one query. */
export interface Plan {
  readonly sends: readonly Send[];
  /** For TCP: what becomes of the connection. */
  readonly afterwards: 'stay' | 'close';
}

/** A server without its sockets. */
export interface Behaviour extends Contents {
  readonly faults: readonly Fault[];
}

/** A server that says nothing. */
export const SILENCE: Plan = { sends: [], afterwards: 'stay' };

/** What a server with these zones and faults does about a query. Octets of TCP have their length before them. */
export function planFor(behaviour: Behaviour, received: Received): Plan {
  const faults = faultsOf(behaviour, received);
  if (isIgnored(faults, received)) return SILENCE;
  const messages = messagesFor(behaviour, faults, received);
  const afterMs = faults.reduce((sum, fault) => sum + (fault.kind === 'latency' ? fault.ms : 0), 0);
  if (received.transport === 'udp')
    return { sends: messages.map((octets) => ({ octets, afterMs })), afterwards: 'stay' };
  return streamPlan(Buffer.concat(messages.map(withLength)), faults, afterMs);
}

/** What any server does about octets that it cannot read: FORMERR if at least a header is there (RFC 1035 4.1.1). */
export function planForUndecodable(octets: Uint8Array, transport: Transport): Plan {
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
/** In the third octet; the opcode is behind it. */
const QR_BIT = 0x80;

function faultsOf({ faults }: Behaviour, { query, transport, address }: Received): Fault[] {
  const [question] = query.questions;
  return question === undefined ? [] : faultsFor(faults, { question, transport, address });
}

/** The decoys and behind them the reply, encoded. */
function messagesFor(contents: Contents, faults: readonly Fault[], received: Received): Uint8Array[] {
  const { query, transport } = received;
  const right = replyTo(contents, query);
  const reply = faults.reduce((spoilt, fault) => misbehave(spoilt, fault, query), right);
  const limit = transport === 'udp' ? udpLimit(query) : MOST_OCTETS;
  const isGarbage = faults.some((fault) => fault.kind === 'garbage');
  const decoys = faults.flatMap((fault) => (fault.kind === 'decoy' ? [decoy(reply, fault.as, limit)] : []));
  return [...decoys, isGarbage ? garbage(reply.id) : encodeMessage(reply, limit)];
}

/** As much as fits behind a length of two octets. */
const MOST_OCTETS = 65_535;

function decoy(reply: ReplySpec, as: Spoiling, limit: number): Uint8Array {
  return as === 'garbage' ? garbage(reply.id) : encodeMessage(spoil(reply, as), limit);
}

/** The right ID, and behind it a header that promises 65535 records of each kind and has none. */
function garbage(id: number): Uint8Array {
  return Uint8Array.of(id >> 8, id & 0xff, ...new Array(18).fill(0xff));
}

function streamPlan(stream: Uint8Array, faults: readonly Fault[], afterMs: number): Plan {
  const closes = faults.find((fault) => fault.kind === 'tcp-closes');
  const segments = faults.find((fault) => fault.kind === 'tcp-segments');
  const whole = closes === undefined ? stream : stream.subarray(0, closes.after);
  const size = Math.max(1, segments?.octets ?? whole.length);
  const count = Math.ceil(whole.length / size);
  // A millisecond between segments, so that the network does not put them together again.
  const sends = Array.from({ length: count }, (_, index) => ({
    octets: whole.subarray(index * size, (index + 1) * size),
    afterMs: afterMs + index,
  }));
  return { sends, afterwards: closes === undefined ? 'stay' : 'close' };
}
