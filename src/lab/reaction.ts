/* Decides how a server of the lab reacts to a query: which octets it sends, when, and over which connection. */

import { encodeMessage, type ReplySpec } from '../dns/encode.ts';
import { HEADER_OCTETS } from '../dns/reader.ts';
import type { Transport } from '../exchange/exchanged.ts';
import { withLength } from '../exchange/tcp.ts';
import { chanceAt, type Fault, faultsFor, type Received } from './faults.ts';
import { ignores, misbehave, misread, spoil } from './misbehave.ts';
import { type Contents, EMPTY, replyTo, udpLimit, withOwnNs } from './reply.ts';
import { isOfSigning } from './signing/zone-signing.ts';

/** What a server does about one query. */
export interface Reaction {
  readonly sends: readonly Outgoing[];
  /** What happens to a TCP connection. */
  readonly afterwards: 'stay' | 'close';
}

/** What goes out at one moment: a datagram, or a segment of a TCP stream. */
interface Outgoing {
  readonly octets: Uint8Array;
  /** Milliseconds after the query came in. */
  readonly afterMs: number;
  /** UDP: it comes from another port than the one asked. */
  readonly from?: 'other-port';
}

/** A server without its sockets. */
export interface Behaviour extends Contents {
  readonly faults: readonly Fault[];
  /** What it answers from instead, one after the other; none: always from the same. */
  readonly turns?: readonly Contents[];
}

/** A server that says nothing. */
export const SILENCE: Reaction = { sends: [], afterwards: 'stay' };

/** What a server with these zones and faults does about a query. Over TCP the octets begin with their length. */
export function reactionTo(received: Received, behaviour: Behaviour): Reaction {
  const faults = faultsOf(behaviour, received);
  if (faults.some((fault) => ignores(fault, received))) return SILENCE;
  const { turns = [] } = behaviour;
  const contents = turns[(received.count - 1) % turns.length] ?? behaviour;
  const messages = messagesFor(contents, faults, received);
  if (received.transport === 'udp') {
    const sends = messages.map((message, index) => ({
      ...message,
      afterMs: delayMs(faults, received, index),
    }));
    return { sends, afterwards: 'stay' };
  }
  const stream = Buffer.concat(messages.map(({ octets }) => withLength(octets)));
  return streamReaction(stream, faults, delayMs(faults, received, 0));
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

/** In the third octet, before the opcode. */
const QR_BIT = 0x80;

function faultsOf({ faults }: Behaviour, { query, transport, address }: Received): Fault[] {
  const [question] = query.questions;
  return question === undefined ? [] : faultsFor(faults, { question, transport, address });
}

/** A message that goes out, whenever that is. */
type Sent = Omit<Outgoing, 'afterMs'>;

/** The decoys, then the reply, encoded. */
function messagesFor(contents: Contents, faults: readonly Fault[], received: Received): readonly Sent[] {
  const { query, transport } = received;
  const usual = replyTo(contents, faults.reduce(misread, query), faults.filter(isOfSigning));
  const right = faults.some(({ kind }) => kind === 'brings-own-ns')
    ? withOwnNs(usual, contents, query)
    : usual;
  const reply = faults.reduce((spoilt, fault) => misbehave(spoilt, fault, query), right);
  const limit = transport === 'udp' ? udpLimit(query) : MOST_OCTETS;
  const isGarbage = faults.some((fault) => fault.kind === 'garbage');
  const once = [
    ...faults.flatMap((fault) => decoysOf(fault, reply, transport)),
    { octets: isGarbage ? garbage(reply.id) : encodeMessage(reply, limit) },
  ];
  return transport === 'udp' ? Array.from({ length: timesOf(faults) }, () => once).flat() : once;
}

/** The most that a length of two octets can announce. */
const MOST_OCTETS = 65_535;

function timesOf(faults: readonly Fault[]): number {
  return faults.reduce((sum, fault) => sum + (fault.kind === 'duplicates' ? fault.copies : 0), 1);
}

/** Decoys deny what was asked for: whoever believed one would say so. Over TCP there is no other port. */
function decoysOf(fault: Fault, reply: ReplySpec, transport: Transport): readonly Sent[] {
  if (fault.kind !== 'decoy') return [];
  const forged = { ...reply, ...EMPTY, rcode: 'NXDOMAIN' };
  if (fault.as !== 'wrong-port') {
    const octets = fault.as === 'garbage' ? garbage(reply.id) : encodeMessage(spoil(forged, fault.as));
    return new Array<Sent>(fault.count ?? 1).fill({ octets });
  }
  const octets = encodeMessage(forged);
  return transport === 'tcp' ? [] : new Array<Sent>(fault.count ?? 1).fill({ octets, from: 'other-port' });
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

/** How many milliseconds after the query the faults let the message go out; `index` is its number among the messages that reply. */
function delayMs(faults: readonly Fault[], received: Received, index: number): number {
  return faults.reduce((sum, fault) => sum + delayBy(fault, received, index), 0);
}

function delayBy(fault: Fault, received: Received, index: number): number {
  if (fault.kind === 'latency') return fault.ms;
  if (fault.kind !== 'jitter' && fault.kind !== 'reorders') return 0;
  const chance = chanceAt(received, `${fault.seed ?? 0} ${fault.kind} ${index}`);
  if (fault.kind === 'jitter') return fault.ms * chance;
  return chance < fault.ratio ? fault.ms : 0;
}
