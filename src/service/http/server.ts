import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { unpacked } from '../../base/packing.ts';
import { type Client, identifyClient } from '../client.ts';
import type { ConnectionRules, Connections } from '../connections.ts';
import { discardBody, type Expects, isMisframed, problemWith, readBody, traceparentOf } from '../request.ts';
import type { Connection } from './connection.ts';
import {
  type BodyPiece,
  type FaultReply,
  faultReply,
  type HttpReply,
  problemOf,
  problemReply,
} from './response.ts';
import type { ServiceParts } from './router.ts';
import { answer, type RoutedReply } from './routes.ts';

/** A node:http server whose connections are bounded, in number and in time, by `connections`. */
export function createHttpServer(
  { timeouts }: ConnectionRules,
  connections: Connections,
  events: ServerEvents,
): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node's own start anew with every octet, or end what they should destroy.
    headersTimeout: 0,
    requestTimeout: 0,
    // Makes Node announce it in Keep-Alive.
    keepAliveTimeout: timeouts.headMs,
    // `problemWith` checks it, in the words of the other errors.
    requireHostHeader: false,
  });
  server.on('listening', () => server.on('error', events.failed));
  server.on('connection', (socket) => connections.admit(socket, socket.remoteAddress));
  takeRequests(server, connections, events);
  return server;
}

/** Octets allowed in the head of a request. */
const MAX_HEADER_BYTES = 8 * 1024;

interface ServerEvents {
  /** The head of a request has arrived. */
  readonly request: (delivered: Delivered) => void;
  /** The system could not accept a connection. */
  readonly failed: (error: Error) => void;
}

function takeRequests(server: Server, connections: Connections, events: ServerEvents): void {
  const take = (expects: Expects) => (message: IncomingMessage, response: ServerResponse) => {
    const connection = connections.of(message.socket);
    if (connection?.begin(message, response) === true) {
      events.request({ message, response, expects, connection });
    }
  };
  server.on('request', take('nothing'));
  server.on('checkContinue', take('continue'));
  server.on('checkExpectation', take('unknown'));
  server.on('connect', (_message, socket) => connections.of(socket)?.refuse(NO_PROXY));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const connection = connections.of(socket);
    if (connection === undefined || error.code === 'ECONNRESET') socket.destroy();
    else connection.refuse(FAULTS[error.code ?? ''] ?? UNREADABLE);
  });
}

const UNREADABLE = unreadable('it is malformed');
const NO_PROXY = faultReply(501, 'This is not a proxy.');

/** Replies to requests that Node's parser rejects, by its error code. */
const FAULTS: Readonly<Record<string, FaultReply>> = {
  HPE_HEADER_OVERFLOW: faultReply(
    431,
    `The request line and headers must not exceed ${MAX_HEADER_BYTES} octets.`,
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: faultReply(413, 'The chunk extensions are too long.'),
  HPE_INVALID_METHOD: unreadable('it does not begin with a known method'),
  HPE_INVALID_URL: unreadable('there is something wrong with its target'),
  HPE_INVALID_CONSTANT: unreadable('its first line does not end with HTTP/1.1'),
  HPE_INVALID_VERSION: unreadable('its first line does not end with HTTP/1.1'),
  HPE_PAUSED_H2_UPGRADE: unreadable('it is HTTP/2, not HTTP/1.1'),
  HPE_INVALID_HEADER_TOKEN: unreadable('a header has a character that it may not have'),
  HPE_UNEXPECTED_SPACE: unreadable('there is a space before its first header'),
  HPE_UNEXPECTED_CONTENT_LENGTH: unreadable('it has more than one Content-Length'),
  HPE_INVALID_CONTENT_LENGTH: unreadable('its Content-Length is not a number of octets'),
  HPE_INVALID_TRANSFER_ENCODING: unreadable(
    'its Transfer-Encoding is not supported, or beside a Content-Length',
  ),
  HPE_INVALID_CHUNK_SIZE: unreadable('a chunk has no valid size'),
  HPE_INVALID_EOF_STATE: unreadable('it ends early'),
};

function unreadable(why: string): FaultReply {
  return faultReply(400, `The request could not be read as HTTP: ${why}.`);
}

/** One request as node:http delivers it. */
interface Delivered {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly expects: Expects;
  readonly connection: Connection;
}

interface ServeSurroundings {
  readonly parts: ServiceParts;
  /** `close` while the service stops. */
  readonly afterwards: () => Afterwards;
}

/** Answers one request, counts it, and never rejects: an error of ours is a 500 and an entry in the log. */
export async function serveRequest(delivered: Delivered, around: ServeSurroundings): Promise<void> {
  const { message, response, expects, connection } = delivered;
  const { parts, afterwards } = around;
  await turnOf(response);
  let body: 'sent' | 'withheld' = expects === 'nothing' ? 'sent' : 'withheld';
  const begin = () => {
    body = 'sent';
    if (expects === 'continue') response.writeContinue();
  };
  const { reply, resource } = await replyTo(delivered, begin, parts).catch((error: unknown) => {
    const traceparent = traceparentOf(message.headers, clientOf(message, parts));
    const text = error instanceof Error ? error.stack : String(error);
    parts.log.error('request failed', { error: text, traceparent });
    return INTERNAL_ERROR;
  });
  const { method = '' } = message;
  const status = reply.kind === 'none' ? 'none' : `${reply.status}`;
  parts.metrics.requests.add({ resource, method: METHODS.has(method) ? method : 'other', status });
  if (reply.kind === 'stream') connection.streams(response, reply.live);
  // A client may send a body that it was not asked for, which must not pass for its next request.
  const isUnsure = body === 'withheld' || isMisframed(message);
  send(reply, message, response, isUnsure ? 'close' : afterwards());
}

/**
 * RFC 9112 9.3.2: replies go out in the order of their requests. One that was made ahead of its turn would only take
 * memory, for as long as the client does not read those before it. If the connection closes first, the turn never comes.
 */
async function turnOf(response: ServerResponse): Promise<void> {
  if (response.socket === null) await new Promise((resolve) => response.once('socket', resolve));
}

async function replyTo(
  { message, expects }: Delivered,
  begin: () => void,
  parts: ServiceParts,
): Promise<RoutedReply> {
  const { method = '', url: target = '', headers } = message;
  const from = clientOf(message, parts);
  const objection = problemWith(message, expects, from, parts.settings);
  if (objection !== undefined) return { reply: problemReply(objection), resource: 'none' };
  const read = () => readBody(message, begin);
  return await answer({ method, target, headers, from, readBody: read }, parts);
}

function clientOf({ socket, headers }: IncomingMessage, { settings }: ServiceParts): Client {
  return identifyClient(socket.remoteAddress, headers, settings);
}

const INTERNAL_ERROR: RoutedReply = {
  reply: problemReply(problemOf(500, 'The service could not answer because of an internal error.')),
  resource: 'none',
};

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

/** What happens to the connection after the reply. */
type Afterwards = 'keep' | 'close';

/** In every reply: any page may read it, and nobody is to cache it or guess its type. */
const COMMON_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Location, Retry-After',
};

/** Writes a reply; to a HEAD request without its body (RFC 9110 9.3.2). */
function send(reply: HttpReply, message: IncomingMessage, response: ServerResponse, then: Afterwards): void {
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
  else writeBody(reply.body, response).catch((error: Error) => response.destroy(error));
}

/** RFC 9110 8.6: these replies have no length of their own. */
const WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 304]);

/** Octets handed to a connection at once. It has stalled if its client does not take these in time. */
const SLICE_BYTES = 512 * 1024;

/** Writes a body as fast as the client takes it. Of what is packed, one piece at a time is unpacked. */
async function writeBody(body: readonly BodyPiece[], response: ServerResponse): Promise<void> {
  for (const piece of body) {
    const octets = piece instanceof Uint8Array ? piece : await unpacked(piece);
    for (let from = 0; from < octets.length; from += SLICE_BYTES) {
      if (response.destroyed) return;
      const isTaken = response.write(octets.subarray(from, from + SLICE_BYTES));
      if (!isTaken) await new Promise((resolve) => response.once('drain', resolve));
    }
  }
  response.end();
}
