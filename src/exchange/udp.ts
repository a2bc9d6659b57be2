import { createSocket, type Socket, type SocketOptions } from 'node:dgram';
import { type Family, familyOf } from '../dns/address.ts';
import { type Endpoint, errorCode, type Listener, type Sending } from './attempt.ts';
import { randomSourcePort } from './compose.ts';

/**
 * The UDP transport: one socket for one query, on a random port of its own and connected, so that
 * only the address and port asked can answer and ICMP errors are heard (RFC 5452 9.1, 9.2).
 */
export function openUdp(sending: Sending, listener: Listener): () => void {
  const { address, port } = sending.endpoint;
  const socket =
    familyOf(address) === 4
      ? createSocket({ type: 'udp4', lookup: alreadyKnown })
      : createSocket({ type: 'udp6', ipv6Only: true, lookup: alreadyKnown });
  socket.once('listening', () => {
    socket.removeAllListeners('error');
    socket.on('error', (error) => listener.failed(errorCode(error)));
    socket.connect(port, address);
  });
  socket.once('connect', () => send(socket, sending, listener));
  bind(socket, sending, listener);
  return () => {
    socket.removeAllListeners();
    // An error after the end concerns nobody any more, but must find a listener.
    socket.on('error', () => {});
    socket.close();
  };
}

/** Only addresses are ever looked up, so nothing has to be waited for. */
const alreadyKnown: NonNullable<SocketOptions['lookup']> = (address, _options, done) =>
  done(null, address, familyOf(address));

const RANDOM_PORTS_TRIED = 8;
/** The port belongs to another socket, or is reserved on this host. */
const PORT_TAKEN: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES']);

/** Binds to a random port that is free; where those are rare, to one that the kernel chooses. */
function bind(socket: Socket, { random, endpoint }: Sending, listener: Listener): void {
  let tried = 0;
  const tryOne = () => {
    tried += 1;
    const port = tried <= RANDOM_PORTS_TRIED ? randomSourcePort(random, endpoint.port) : 0;
    socket.bind({ port, exclusive: true });
  };
  socket.on('error', (error) => {
    const code = errorCode(error);
    if (PORT_TAKEN.has(code) && tried <= RANDOM_PORTS_TRIED) tryOne();
    // As nothing is looked up, this can come at once.
    else process.nextTick(() => listener.failed(code));
  });
  tryOne();
}

function send(socket: Socket, { endpoint, expected }: Sending, listener: Listener): void {
  socket.on('message', (message, from) => {
    // Until it was connected, the socket accepted what anyone sent to its port.
    if (isSame(from, endpoint) || isSame(from, socket.remoteAddress())) listener.came(message);
  });
  listener.leaving();
  socket.send(expected.sent, (error) => {
    if (error === null) listener.wrote();
    else listener.failed(errorCode(error));
  });
}

/** Whether both are written alike. The system may write the peer of a socket unlike what it was connected to. */
function isSame(a: Endpoint, b: Endpoint): boolean {
  return a.port === b.port && a.address === b.address;
}

/** Whether this host has a route to an address of the family. */
type HasRoute = (family: Family) => Promise<boolean>;

/**
 * The families in which this host can reach the internet, IPv4 first. Connecting a UDP socket asks
 * the kernel for a route and sends nothing.
 */
export async function hostFamilies(hasRoute: HasRoute = hasGlobalRoute): Promise<readonly Family[]> {
  const families = [4, 6] as const;
  const routed = await Promise.all(families.map(hasRoute));
  return families.filter((_, index) => routed[index]);
}

/** k.root-servers.net: addresses that will stay globally routed. */
const GLOBAL_ADDRESS = { 4: '193.0.14.129', 6: '2001:7fd::1' } as const;

function hasGlobalRoute(family: Family): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
    const settle = (answer: boolean) => {
      socket.removeAllListeners();
      socket.close();
      resolve(answer);
    };
    socket.once('error', () => settle(false));
    socket.once('connect', () => settle(true));
    socket.connect(53, GLOBAL_ADDRESS[family]);
  });
}
