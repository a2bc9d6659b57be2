import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A request as a receiver saw it. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver in the test's own process, gone when the test ends. */
export interface Receiver {
  readonly url: URL;
  readonly received: readonly Received[];
  /** Resolves when this many requests have come. */
  until(count: number): Promise<void>;
}

/** Starts an HTTP server that treats its n-th request (from 1) as the script says. */
export async function startReceiver(
  t: Pick<Test, 'teardown'>,
  script: (response: ServerResponse, n: number, received: Received) => unknown,
): Promise<Receiver> {
  const received: Received[] = [];
  const news = notifier();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const seen = { method: request.method, path: request.url, headers: request.headers, body };
    script(response, received.push(seen), seen);
    news.tell();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = urlOf('http', server.address());
  return { url, received, until: (count) => news.until(() => received.length >= count) };
}

/** Starts a TCP server that treats the first octets of its n-th connection (from 1) as the script says. */
export async function startTcpReceiver(
  t: Test,
  scheme: 'http' | 'https',
  script: (socket: Socket, n: number, first: Buffer) => unknown,
) {
  let connections = 0;
  const open = new Set<Socket>();
  const news = notifier();
  const server = createTcpServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // The peer's reset is what some scripts are about.
    socket.on('error', () => socket.destroy());
    socket.once('data', (first) => {
      connections += 1;
      script(socket, connections, first);
      news.tell();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return {
    url: urlOf(scheme, server.address()),
    until: (count: number) => news.until(() => connections >= count),
  };
}

/** The URL of a port that nobody listens on. */
export async function deadUrl(): Promise<URL> {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = urlOf('http', server.address());
  server.close();
  await once(server, 'close');
  return url;
}

function urlOf(scheme: string, address: AddressInfo | string | null): URL {
  if (address === null || typeof address === 'string') throw new Error('not a TCP server');
  return new URL(`${scheme}://127.0.0.1:${address.port}/hook?kind=usage`);
}

function notifier() {
  const waiting = new Set<() => void>();
  return {
    tell: () => {
      for (const look of waiting) look();
    },
    until: (holds: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!holds()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
