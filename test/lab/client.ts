import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { createDeframer, withLength } from '../../src/exchange/tcp.ts';

/** Where to reach a server. */
interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Sends datagrams one after another and resolves with the first `count` that come back, or with the network's refusal. */
export function udp(
  endpoint: Endpoint,
  queries: readonly Uint8Array[],
  count: number,
): Promise<Uint8Array[] | string> {
  const socket = createSocket(endpoint.address.includes(':') ? 'udp6' : 'udp4');
  const came: Uint8Array[] = [];
  return new Promise<Uint8Array[] | string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('message', (message) => {
      came.push(message);
      if (came.length === count) resolve(came);
    });
    socket.connect(endpoint.port, endpoint.address, () => {
      for (const query of queries) socket.send(query);
    });
  }).finally(() => socket.close());
}

/** The same over one connection; when the server closes it, resolves with what has come. */
export function tcp(
  endpoint: Endpoint,
  queries: readonly Uint8Array[],
  count: number,
): Promise<Uint8Array[] | string> {
  const socket = connect({ host: endpoint.address, port: endpoint.port });
  const deframe = createDeframer();
  const came: Uint8Array[] = [];
  return new Promise<Uint8Array[] | string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('end', () => resolve(came));
    socket.on('data', (piece) => {
      came.push(...deframe(piece));
      if (came.length === count) resolve(came);
    });
    for (const query of queries) socket.write(withLength(query));
  }).finally(() => socket.destroy());
}
