import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PeerLimit } from '../clients/peer-limit.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Expects } from './objection.ts';
import { Pipelines } from './pipelines.ts';
import { PROBLEM_TYPE, problemOf, problemText } from './problem.ts';
import type { Delivered } from './serve-request.ts';

/** Octets allowed in the head of a request. */
const MAX_HEADER_BYTES = 8 * 1024;

/** Requests on one connection that may wait for their replies. */
const MAX_PIPELINED = 16;

/** What the server reports. */
interface ServerEvents {
  /** The head of a request has arrived. */
  readonly request: (delivered: Delivered) => void;
  /** A connection beyond a limit was closed. */
  readonly refused: () => void;
  /** The system could not accept a connection. */
  readonly failed: (error: Error) => void;
}

/** A node:http server with bounds: on what it waits for, how long, and how many connections it keeps open. */
export function createHttpServer(settings: ServiceSettings, events: ServerEvents): Server {
  const { timeouts } = settings;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: timeouts.checkMs,
    // `objectionTo` checks it, in the words of the other errors.
    requireHostHeader: false,
  });
  server.maxConnections = settings.maxConnections;
  server.setTimeout(timeouts.idleMs);
  server.on('listening', () => server.on('error', events.failed));
  server.on('drop', events.refused);
  limitPeers(server, settings.maxConnectionsPerClient, events);
  takeRequests(server, events);
  return server;
}

function limitPeers(server: Server, most: number, { refused }: ServerEvents): void {
  const perPeer = new PeerLimit(most);
  server.on('connection', (socket) => {
    if (perPeer.take(socket.remoteAddress, (gone) => socket.once('close', gone))) return;
    refused();
    socket.destroy();
  });
}

function takeRequests(server: Server, events: ServerEvents): void {
  const replies = new WeakMap<Duplex, ServerResponse>();
  const pipelines = new Pipelines(MAX_PIPELINED);
  const take = (expects: Expects) => (message: IncomingMessage, response: ServerResponse) => {
    const { socket } = message;
    if (pipelines.take(socket, response)) {
      replies.set(socket, response);
      events.request({ message, response, expects });
    } else {
      // RFC 9112 9.3.2: the client then repeats, one by one, what was not answered.
      socket.destroy();
    }
  };
  server.on('request', take('nothing'));
  server.on('checkContinue', take('continue'));
  server.on('checkExpectation', take('unknown'));
  server.on('connect', (_message, socket) => refuse(NO_PROXY, socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const reply = replies.get(socket);
    // The request that failed is either the one answered last, or the next.
    const answered = reply?.headersSent === true && !(reply.writableFinished && reply.req.complete);
    if (answered || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else refuse(FAULTS[error.code ?? ''] ?? NOT_HTTP, socket);
  });
}

type Fault = readonly [status: number, detail: string];

const NOT_HTTP: Fault = [400, 'This is not HTTP/1.1.'];
const NO_PROXY: Fault = [501, 'This is not a proxy.'];

/** What is wrong with a request that Node's parser rejected, by its code. */
const FAULTS: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: [431, `The request line and headers must not exceed ${MAX_HEADER_BYTES} octets.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

/** Answers something that is not a request with a problem document like the others, and closes the connection. */
function refuse([status, detail]: Fault, socket: Duplex): void {
  const problem = problemOf(status, detail);
  const body = problemText(problem);
  const head = [
    `HTTP/1.1 ${status} ${problem.title}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${body.length}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
