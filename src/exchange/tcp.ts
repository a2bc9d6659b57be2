import { connect } from 'node:net';

import type { Listener, Sending } from './attempt.ts';
import { errorCode } from './error-code.ts';
import { createDeframer, frame } from './frame.ts';

/** More than this from one connection is no reply to one query: four messages of the greatest size. */
const MOST_OCTETS = 4 * 65_537;

/** The TCP transport: one connection for one query (RFC 7766). */
export function openTcp(sending: Sending, listener: Listener): () => void {
  const { address, port } = sending.endpoint;
  const deframe = createDeframer();
  let octets = 0;

  listener.leaving();
  const socket = connect({ host: address, port });
  socket.on('connect', () => {
    socket.write(frame(sending.query));
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
