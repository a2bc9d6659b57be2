/* Opens the lab's sockets: UDP and TCP on one port. */

import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import { familyOf } from '../dns/address.ts';
import { createDeframer } from '../exchange/tcp.ts';
import type { Reaction } from './reaction.ts';

/** Listens for datagrams; port 0 takes a free one. Rejects with the system's error. */
export async function listenUdp(address: string, port: number, respond: Respond): Promise<Listening> {
  const type = familyOf(address) === 4 ? 'udp4' : 'udp6';
  const socket = createSocket({ type, recvBufferSize: RECEIVE_BUFFER });
  const timers = createTimers();
  let other: UdpSocket | undefined;
  const atOtherPort = () => {
    other ??= createSocket(type).bind(0, address);
    return other;
  };
  socket.on('message', (message, to) => {
    for (const { octets, afterMs, from } of respond(message).sends) {
      const sender = from === 'other-port' ? atOtherPort() : socket;
      timers.after(afterMs, () => sender.send(octets, to.port, to.address));
    }
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ address, port, exclusive: true }, () => resolve());
  });
  socket.removeAllListeners('error');
  const close = () => {
    timers.clear();
    other?.close();
    return new Promise<void>((resolve) => socket.close(resolve));
  };
  return { port: socket.address().port, close };
}

/** A socket that is bound. */
export interface Listening {
  readonly port: number;
  /** Closes it, its connections, and cancels what it still had to send. */
  close(): Promise<void>;
}

/** Says at once what to do about the octets of one message. */
export type Respond = (message: Uint8Array) => Reaction;

/** The socket's buffer in the kernel, in octets: room for a few thousand queries. */
const RECEIVE_BUFFER = 1 << 20;

/**
 * Keeps a port occupied while nothing listens there: the socket is connected to itself, so the kernel
 * refuses everybody else's datagrams as it does where there is no socket. TCP at the same port is
 * refused anyway. Rejects with the system's error.
 */
export async function holdPort(address: string, port: number): Promise<Listening> {
  const socket = createSocket(familyOf(address) === 4 ? 'udp4' : 'udp6');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ address, port, exclusive: true }, () => {
      socket.connect(socket.address().port, address, resolve);
    });
  });
  return { port: socket.address().port, close: () => new Promise<void>((resolve) => socket.close(resolve)) };
}

/** Listens for connections; port 0 takes a free one. Rejects with the system's error. */
export async function listenTcp(address: string, port: number, respond: Respond): Promise<Listening> {
  const connections = new Set<Socket>();
  const server = createServer({ noDelay: true }, (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    serve(connection, respond);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, exclusive: true, backlog: 1024 }, resolve);
  });
  server.removeAllListeners('error');
  const bound = server.address();
  const close = () => {
    for (const connection of connections) connection.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { port: typeof bound === 'object' && bound !== null ? bound.port : port, close };
}

function serve(connection: Socket, respond: Respond): void {
  const timers = createTimers();
  const deframe = createDeframer();
  // One reply after another, so that their segments do not mix.
  let delivered: Promise<void> = Promise.resolve();
  connection.once('close', () => timers.clear());
  // The client has reset the connection, as it may; 'close' follows.
  connection.on('error', () => connection.destroy());
  connection.on('data', (piece) => {
    for (const message of deframe(piece)) {
      const reaction = respond(message);
      delivered = delivered.then(() => deliver(connection, reaction, timers));
    }
  });
}

async function deliver(connection: Socket, { sends, afterwards }: Reaction, timers: Timers): Promise<void> {
  let elapsedMs = 0;
  for (const { octets, afterMs } of sends) {
    await new Promise<void>((resolve) => timers.after(afterMs - elapsedMs, resolve));
    elapsedMs = afterMs;
    connection.write(octets);
  }
  if (afterwards === 'close') connection.end();
}

/** Things to do later that can all be cancelled. */
interface Timers {
  /** Runs it after `ms` milliseconds; for 0 at once. */
  after(ms: number, run: () => void): void;
  /** Cancels what has not run yet. */
  clear(): void;
}

/** An empty set of timers. */
function createTimers(): Timers {
  const pending = new Set<NodeJS.Timeout>();
  return {
    after(ms, run) {
      if (ms <= 0) {
        run();
        return;
      }
      const timer = setTimeout(() => {
        pending.delete(timer);
        run();
      }, ms);
      pending.add(timer);
    },
    clear() {
      for (const timer of pending) clearTimeout(timer);
      pending.clear();
    },
  };
}
