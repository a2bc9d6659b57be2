import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import type { StoreAddress } from '../../../src/service/store/connection/store-url.ts';

/** What a made-up server replies to a command, in its protocol, without the last line break. */
export type Reply = (command: string, args: readonly string[]) => string;

/** A server that only looks like a store, gone when the test ends. */
export async function startFakeRedis(t: Pick<Test, 'teardown'>, reply: Reply): Promise<StoreAddress> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.on('data', (data) => {
      for (const [command = '', ...args] of commandsIn(data.toString())) {
        socket.write(`${reply(command.toLowerCase(), args)}\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return { host: '127.0.0.1', port: address.port, db: 0, encrypted: false };
}

/** A text as a reply. */
export function bulk(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}`;
}

/** Commands, each a list of its words: "*2", "$4", "INFO", "$6", "server". None has a line break in it, and none is cut in two. */
function commandsIn(data: string): readonly (readonly string[])[] {
  return data
    .split(/^\*\d+\r\n/m)
    .filter((command) => command !== '')
    .map((command) => command.split('\r\n').filter((_line, index) => index % 2 === 1));
}
