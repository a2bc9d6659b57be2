import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_HEADER_BYTES } from './limits.ts';
import { PeerLimit } from './peer-limit.ts';
import { PROBLEM_TYPE, problemOf, problemText } from './problem.ts';
import type { ServiceSettings } from './settings.ts';

/** What the server tells its owner. */
export interface ServerEvents {
  /** A request whose head is there. `goOn` asks the client for the body, if it waits to be asked. */
  readonly request: (message: IncomingMessage, response: ServerResponse, expects: Expects) => void;
  /** A connection over a limit was closed. */
  readonly refused: () => void;
}

/** Whether a client waits for leave to send its body (RFC 9110 10.1.1, "100-continue"). */
export type Expects = 'leave' | 'nothing';

/** A node:http server that waits for no client longer than the settings say, and takes no more of them. */
export function createHttpServer(settings: ServiceSettings, events: ServerEvents): Server {
  const { patience } = settings;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: patience.keepAliveMs,
    connectionsCheckingInterval: patience.checkMs,
  });
  server.maxConnections = settings.maxConnections;
  server.setTimeout(patience.idleMs);
  const replies = new WeakMap<Duplex, ServerResponse>();
  const take = (expects: Expects) => (message: IncomingMessage, response: ServerResponse) => {
    replies.set(message.socket, response);
    events.request(message, response, expects);
  };
  server.on('request', take('nothing'));
  server.on('checkContinue', take('leave'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const reply = replies.get(socket);
    const begun = reply?.headersSent === true && !reply.writableFinished;
    if (begun || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else refuse(error.code, socket);
  });
  server.on('drop', events.refused);
  const perPeer = new PeerLimit(settings.maxConnectionsPerClient);
  server.on('connection', (socket) => {
    if (perPeer.take(socket.remoteAddress, (gone) => socket.once('close', gone))) return;
    events.refused();
    socket.destroy();
  });
  return server;
}

/** What is wrong with a request that the parser gave up, by Node's code for it. */
const FAULTS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The head of a request must not be larger than ${MAX_HEADER_BYTES} octets.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to come.'],
};

/** Answers what is no request, in the words of the other errors, and closes the connection. */
function refuse(code: string | undefined, socket: Duplex): void {
  const [status, detail] = FAULTS[code ?? ''] ?? [400, 'This is not HTTP/1.1.'];
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
