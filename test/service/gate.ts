import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import type { Place } from './http-client.ts';

/** A way to a service that can be cut, and be led to another. */
export interface Gate {
  readonly url: string;
  /** Breaks every connection; new ones can be made. */
  readonly cut: () => void;
  /** From now on new connections go there: a service that is started again has another port, its own may be taken. */
  readonly lead: (place: Place) => void;
}

/** Opens a gate in front of a service, which passes on every octet. */
export async function openGate(t: Pick<Test, 'teardown'>, first: Place): Promise<Gate> {
  let behind = first;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(behind.port, behind.host);
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
  const lead = (place: Place) => {
    behind = place;
  };
  return { url: `http://127.0.0.1:${address.port}`, cut, lead };
}
