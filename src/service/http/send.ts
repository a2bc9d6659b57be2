import type { IncomingMessage, ServerResponse } from 'node:http';
import { unpacked } from '../../base/packing.ts';
import { discardBody } from '../request-body.ts';
import type { BodyPiece, HttpReply } from './reply.ts';

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
      reply.start(response);
    }
    return;
  }
  const length = reply.body.reduce((sum, { length }) => sum + length, 0);
  const size = WITHOUT_CONTENT.has(reply.status) ? {} : { 'Content-Length': `${length}` };
  response.writeHead(reply.status, { ...headers, ...size });
  if (message.method === 'HEAD') response.end();
  else writeBody(reply.body, response);
}

/** RFC 9110 8.6: these replies have no length of their own. */
const WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 304]);

/** Octets handed to a connection at once. It has stalled if its client does not take these in time. */
const SLICE_BYTES = 512 * 1024;

/** Writes a body as fast as the client takes it. Of what is packed, one piece at a time is unpacked. */
function writeBody(body: readonly BodyPiece[], response: ServerResponse): void {
  const [first, ...rest] = body;
  if (first === undefined) response.end();
  else if (first instanceof Uint8Array) writeSlices(first, response, () => writeBody(rest, response));
  else
    unpacked(first).then(
      (octets) => writeBody([octets, ...rest], response),
      (error: Error) => response.destroy(error),
    );
}

function writeSlices(octets: Uint8Array, response: ServerResponse, then: () => void): void {
  let from = 0;
  const pump = () => {
    while (from < octets.length) {
      from += SLICE_BYTES;
      if (response.destroyed) return;
      if (!response.write(octets.subarray(from - SLICE_BYTES, from))) {
        response.once('drain', pump);
        return;
      }
    }
    then();
  };
  pump();
}
