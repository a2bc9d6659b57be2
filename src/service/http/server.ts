import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ConnectionRules, Connections } from './connections.ts';
import { type FaultReply, faultReply } from './fault-reply.ts';
import type { Expects } from './objection.ts';
import type { Delivered } from './serve-request.ts';

/** Octets allowed in the head of a request. */
const MAX_HEADER_BYTES = 8 * 1024;

interface ServerEvents {
  /** The head of a request has arrived. */
  readonly request: (delivered: Delivered) => void;
  /** The system could not accept a connection. */
  readonly failed: (error: Error) => void;
}

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
