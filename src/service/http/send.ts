import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpReply } from './http-reply.ts';
import { discardBody } from './request-body.ts';

/** What happens to the connection after the reply. */
export type Afterwards = 'keep' | 'close';

/** In every reply: any page may read it, and nobody is to cache it or guess its type. */
const COMMON_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Location, Retry-After',
};

/** Writes a reply; to a HEAD request without its body (RFC 9110 9.3.2). */
export function send(
  reply: HttpReply,
  message: IncomingMessage,
  response: ServerResponse,
  then: Afterwards,
): void {
  if (reply.kind === 'none' || response.destroyed) {
    response.destroy();
    return;
  }
  const connection = then === 'close' ? { Connection: 'close' } : {};
  const headers = { ...COMMON_HEADERS, ...connection, ...reply.headers };
  discardBody(message);
  if (reply.kind === 'stream') {
    response.writeHead(reply.status, headers);
    if (message.method === 'HEAD') response.end();
    else {
      response.flushHeaders();
      const { start } = reply;
      // A pipelined request's stream waits until the replies before it are through: nobody would be
      // told if the connection closed before.
      if (response.socket === null) response.once('socket', () => start(response));
      else start(response);
    }
    return;
  }
  const length = reply.body.reduce((sum, { length }) => sum + length, 0);
  const size = reply.status === 204 ? {} : { 'Content-Length': `${length}` };
  response.writeHead(reply.status, { ...headers, ...size });
  if (message.method === 'HEAD') response.end();
  else writeBody(reply.body, response);
}

/** Octets handed to a connection at once. It has stalled if its client does not take these in time. */
const SLICE_BYTES = 512 * 1024;

/** Writes a body as fast as the client takes it. */
function writeBody(body: readonly Uint8Array[], response: ServerResponse): void {
  const slices = slicesOf(body);
  const pump = () => {
    for (let next = slices.next(); next.done !== true; next = slices.next()) {
      if (!response.write(next.value)) {
        response.once('drain', pump);
        return;
      }
    }
    response.end();
  };
  pump();
}

function* slicesOf(body: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const piece of body) {
    for (let from = 0; from < piece.length; from += SLICE_BYTES) {
      yield piece.subarray(from, from + SLICE_BYTES);
    }
  }
}
