import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import type { Place } from '../service/http-client.ts';

/** A way to a service that can be cut. */
export interface Gate {
  readonly url: string;
  /** Breaks every connection; new ones can be made. */
  readonly cut: () => void;
}

/** Opens a gate in front of a service, which passes on every octet. */
export async function openGate(t: Pick<Test, 'teardown'>, { host, port }: Place): Promise<Gate> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(port, host);
    for (const socket of [near, far]) keep(socket);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(() => {
    server.close();
    cut();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it listens nowhere');
  return { url: `http://127.0.0.1:${address.port}`, cut };
}
