/* Sends and receives DNS messages over TCP. */

import { connect } from 'node:net';
import { errorCode, type Listener, type Sending } from './attempt.ts';

/** Four messages of the greatest size: whatever sends more than that is not replying to one query. */
const MOST_OCTETS = 4 * 65_537;

/** The TCP transport: one connection for one query (RFC 7766). */
export function openTcp(sending: Sending, listener: Listener): () => void {
  const { address, port } = sending.endpoint;
  const deframe = createDeframer();
  let octets = 0;

  listener.leaving();
  const socket = connect({ host: address, port });
  socket.on('connect', () => {
    socket.write(withLength(sending.expected.sent));
    listener.wrote();
  });
  socket.on('data', (piece) => {
    for (const message of deframe(piece)) listener.came(message);
    octets += piece.length;
    if (octets > MOST_OCTETS) listener.closed();
  });
  socket.on('end', () => listener.closed());
  socket.on('error', (error) => listener.failed(errorCode(error)));
  return () => socket.destroy();
}

/** Cuts a TCP stream into DNS messages: takes the next piece, and returns the messages that it completes. */
type Deframer = (piece: Uint8Array) => readonly Uint8Array[];

const LENGTH_OCTETS = 2;

/**
 * A message as it is sent over TCP: preceded by its length in two octets (RFC 1035 4.2.2), all in one
 * piece so that it leaves in one write (RFC 7766 8).
 */
export function withLength(message: Uint8Array): Uint8Array {
  const framed = Buffer.alloc(LENGTH_OCTETS + message.length);
  framed.writeUInt16BE(message.length);
  framed.set(message, LENGTH_OCTETS);
  return framed;
}

/** The deframer of one connection. It joins the pieces of the stream only once a message is complete. */
export function createDeframer(): Deframer {
  let held: Uint8Array[] = [];
  let octets = 0;
  let needed = LENGTH_OCTETS;

  return (piece) => {
    held.push(piece);
    octets += piece.length;
    if (octets < needed) return [];

    const messages: Uint8Array[] = [];
    let rest = Buffer.concat(held);
    needed = LENGTH_OCTETS;
    while (rest.length >= LENGTH_OCTETS) {
      needed = LENGTH_OCTETS + rest.readUInt16BE();
      if (rest.length < needed) break;
      messages.push(rest.subarray(LENGTH_OCTETS, needed));
      rest = rest.subarray(needed);
      needed = LENGTH_OCTETS;
    }
    held = [rest];
    octets = rest.length;
    return messages;
  };
}
