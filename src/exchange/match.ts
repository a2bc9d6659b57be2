import type { Ignored } from '../exchanged.ts';
import { decodeMessage } from '../wire/decode.ts';
import { peekId } from '../wire/header.ts';
import type { AskedQuestion, Message } from '../wire/message.ts';
import { DecodeError } from '../wire/reader.ts';

/** What was asked, so far as a reply must repeat it. */
export interface Asked extends AskedQuestion {
  readonly id: number;
  /** Whether the reply must repeat the name octet by octet (0x20), or may change the case of letters. */
  readonly accept: 'exact-case' | 'any-case';
}

/** What a message that came in is to us. */
export type Matched =
  | { readonly kind: 'reply'; readonly message: Message }
  /** A reply but for the case of letters in the question's name. */
  | { readonly kind: 'case-mismatch' }
  | { readonly kind: 'ignored'; readonly reason: Ignored['reason']; readonly detail?: string };

/**
 * Whether a message is the reply to what was asked (RFC 5452 9.1: the ID and the question; the
 * address and port are the socket's business). One too short for an ID counts as one with another
 * ID: nothing says that it is the server's.
 */
export function match(asked: Asked, bytes: Uint8Array): Matched {
  if (peekId(bytes) !== asked.id) return { kind: 'ignored', reason: 'wrong-id' };
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
  return matchQuestion(asked, message);
}

const OPCODE_QUERY = 0;

function tryDecode(bytes: Uint8Array): Message | DecodeError {
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

function matchQuestion(asked: Asked, message: Message): Matched {
  const [question, ...more] = message.questions;
  if (question === undefined && mayOmitQuestion(message.rcode)) return { kind: 'reply', message };
  if (question === undefined || more.length > 0) {
    const detail = `a reply with ${message.questions.length} questions`;
    return { kind: 'ignored', reason: 'wrong-question', detail };
  }
  if (question.name !== asked.name || question.type !== asked.type || question.class !== asked.class) {
    return { kind: 'ignored', reason: 'wrong-question' };
  }
  if (asked.accept === 'exact-case' && question.nameAsSent !== asked.nameAsSent) {
    return { kind: 'case-mismatch' };
  }
  return { kind: 'reply', message };
}

/** A server that could not read the query cannot repeat it; one that gives data or denies it has read it. */
function mayOmitQuestion(rcode: string): boolean {
  return rcode !== 'NOERROR' && rcode !== 'NXDOMAIN';
}
