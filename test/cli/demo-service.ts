import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { start } from './svc.ts';

/** Something to call that has to be stopped. */
interface Running {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts `svc serve --demo`, without its page, on a free port and reads from its start-up line where it listens. */
export async function startDemoService(
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<Running> {
  const flags = ['--demo', '--no-page', '--listen', '127.0.0.1:0', '--grace', '0s'];
  const child = start(['serve', ...flags, ...options], env);
  const lines = createInterface({ input: child.stderr });
  const closed = once(child, 'close');
  // One that cannot start says nothing, or something else, and ends.
  const [first]: string[] = await Promise.race([once(lines, 'line'), closed.then(() => [])]);
  const { url }: { url: string } = JSON.parse(first ?? '');
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
  };
  return { url, stop };
}

/** The same, where a job for a name with a dead server does not end by itself while a test goes on. */
export async function startPatientService(t: Pick<Test, 'teardown'>): Promise<Running> {
  const service = await startDemoService({}, ['--timeout', '60s']);
  t.teardown(service.stop);
  return service;
}

/** A reply that a made-up server gives. */
export type Handler = (message: IncomingMessage, response: ServerResponse) => void;

/** Starts a server that answers as it is told. */
export async function startServer(handler: Handler): Promise<Running> {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: urlOf(server), stop: () => closed(server) };
}

/** Writes piece after piece as fast as they are taken, until the reader has gone. */
export function pour(response: ServerResponse, piece: (number: number) => string): void {
  let number = 0;
  const more = () => {
    while (!response.destroyed && response.write(piece(++number)));
  };
  response.on('drain', more);
  more();
}

/** What a proxy does to one exchange with the service behind it. */
export interface Meddling {
  /** Sent along with the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called for each request; true: the proxy leaves it to this function. */
  readonly handle?: (message: IncomingMessage, response: ServerResponse) => boolean;
  /** What to put in front of a reply's body. */
  readonly prefix?: string;
  /** The reply is cut off after this many octets of its body. */
  readonly cutAfter?: (message: IncomingMessage) => number;
}

/** Starts a proxy in front of a service, which meddles with what passes. */
export function startProxy(service: string, meddling: Meddling): Promise<Running> {
  const { headers = {}, handle = () => false, prefix = '', cutAfter } = meddling;
  return startServer((message, response) => {
    if (handle(message, response)) return;
    const { method, url = '' } = message;
    const behind = request(new URL(url, service), { method, headers: { ...message.headers, ...headers } });
    behind.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      if (prefix !== '' && url.endsWith('/events') && reply.statusCode === 200) response.write(prefix);
      let room = cutAfter?.(message) ?? Number.POSITIVE_INFINITY;
      reply.on('data', (chunk: Buffer) => {
        if (room <= 0) return;
        const isLast = chunk.length >= room;
        // What was written is to arrive before the connection breaks.
        response.write(chunk.subarray(0, room), () => isLast && response.destroy());
        room -= chunk.length;
      });
      reply.on('end', () => response.end());
    });
    behind.on('error', () => response.destroy());
    response.on('close', () => behind.destroy());
    message.pipe(behind);
  });
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return `http://127.0.0.1:${address.port}`;
}

async function closed(server: Server): Promise<void> {
  const done = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await done;
}
