import { decodeMessage } from '../dns/decode.ts';
import { type Message, peekId } from '../dns/message.ts';
import { DecodeError } from '../dns/reader.ts';
import { type Expected, repeatsName } from './compose.ts';
import type { Ignored } from './exchanged.ts';

/**
 * Whether a message is the reply expected (RFC 5452 9.1: the ID and the question; address and port
 * are checked by the socket). A message too short for an ID counts as one with another ID: nothing
 * shows that it is the server's.
 */
export function match(expected: Expected, bytes: Uint8Array): Matched {
  if (peekId(bytes) !== expected.id) return { kind: 'ignored', reason: 'wrong-id' };
  const message = tryDecode(bytes);
  if (message instanceof DecodeError) {
    return { kind: 'ignored', reason: 'undecodable', detail: message.message };
  }
  if (!message.flags.includes('qr')) {
    return { kind: 'ignored', reason: 'not-a-reply', detail: 'a query came back' };
  }
  if (message.opcode !== OPCODE_QUERY) {
    return { kind: 'ignored', reason: 'not-a-reply', detail: `a reply with opcode ${message.opcode}` };
  }
  return matchQuestion(expected, message, bytes);
}

/** How a received message matches the query. */
type Matched =
  | { readonly kind: 'reply'; readonly message: Message }
  /** A reply except for the case of letters in the question's name. */
  | { readonly kind: 'case-mismatch' }
  | { readonly kind: 'ignored'; readonly reason: Ignored['reason']; readonly detail?: string };

const OPCODE_QUERY = 0;

function tryDecode(bytes: Uint8Array): Message | DecodeError {
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

function matchQuestion(expected: Expected, message: Message, bytes: Uint8Array): Matched {
  const [question] = message.questions;
  if (question === undefined) {
    if (mayOmitQuestion(message.rcode)) return { kind: 'reply', message };
    return { kind: 'ignored', reason: 'wrong-question', detail: 'a reply without a question' };
  }
  const { name, type, class: recordClass, sent } = expected;
  if (question.name !== name || question.type !== type || question.class !== recordClass) {
    return { kind: 'ignored', reason: 'wrong-question' };
  }
  if (expected.accept === 'exact-case' && !repeatsName(bytes, sent)) {
    return { kind: 'case-mismatch' };
  }
  return { kind: 'reply', message };
}

/** A server that could not read the query cannot repeat it; one that gives data or denies it has read it. */
function mayOmitQuestion(rcode: string): boolean {
  return rcode !== 'NOERROR' && rcode !== 'NXDOMAIN';
}

/** How many ignored messages a try remembers, so that a flood does not fill the memory. */
const MOST_REMEMBERED = 16;
const HEAD_OCTETS = 64;

/** What came in during one try, which waits for the reply expected. */
export class Inbox {
  readonly ignored: Ignored[] = [];
  packets = 0;
  /** Octets of all packets. */
  bytes = 0;
  readonly #expected: Expected;

  constructor(expected: Expected) {
    this.#expected = expected;
  }

  /** Takes one message; undefined if it does not count and the wait goes on. */
  take(bytes: Uint8Array): Message | 'case-mismatch' | undefined {
    this.packets += 1;
    this.bytes += bytes.length;
    const matched = match(this.#expected, bytes);
    switch (matched.kind) {
      case 'reply':
        return matched.message;
      case 'case-mismatch':
        return 'case-mismatch';
      case 'ignored': {
        const { kind: _, ...why } = matched;
        remember(this.ignored, { ...why, bytes: bytes.length, head: headOf(bytes) });
        return undefined;
      }
    }
  }
}

/**
 * Beyond the bound only the first of each reason is kept: what was seen at all decides the class
 * (svc-model(7), EXCHANGES rule 1).
 */
function remember(ignored: Ignored[], one: Ignored): void {
  const isNews = ignored.every(({ reason }) => reason !== one.reason);
  if (ignored.length < MOST_REMEMBERED || isNews) ignored.push(one);
}

function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, HEAD_OCTETS)).toString('hex');
}
