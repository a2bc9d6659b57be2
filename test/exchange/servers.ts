import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Test } from 'tap';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { parseName } from '../../src/dns/name.ts';
import type { SpecialQuery } from '../../src/exchange/compose.ts';
import { createExchange, type ExchangeOptions } from '../../src/exchange/exchange.ts';
import type { Exchanged, Try } from '../../src/exchange/exchanged.ts';

/** Announces that nothing more comes, so that whoever waits times out: these tests do not wait by the clock. */
export const QUIET = 'quiet';

/** What a server sends back over UDP for its n-th query (from 1): any number of datagrams. */
export type UdpScript = (query: Buffer, n: number) => Iterable<Uint8Array | typeof QUIET>;

/** What a server does with the query on its n-th TCP connection. What it returns matters only if it is QUIET. */
export type TcpScript = (socket: Socket, query: Buffer, n: number) => unknown;

/** A server in the test's own process, closed when the test ends. */
interface TestServer {
  readonly port: number;
  /** Every query that came, in order, by transport. */
  readonly udp: readonly Buffer[];
  readonly tcp: readonly Buffer[];
  /** The port each UDP query came from. */
  readonly ports: readonly number[];
}

/** Starts a server on one port for both transports; without a TCP script it refuses TCP. */
export async function startServer(
  t: Test,
  quiet: () => void,
  udpScript: UdpScript,
  tcpScript?: TcpScript,
  address = '127.0.0.1',
): Promise<TestServer> {
  const seen: { udp: Buffer[]; tcp: Buffer[]; ports: number[] } = { udp: [], tcp: [], ports: [] };
  const note = (query: Buffer) => seen.tcp.push(query);
  const startTcpHere = () => (tcpScript === undefined ? 0 : startTcp(t, quiet, tcpScript, note, address));
  const socket = await bound(address, startTcpHere);
  socket.on('message', (query, from) => {
    seen.ports.push(from.port);
    for (const item of udpScript(query, seen.udp.push(query))) {
      if (item === QUIET) quiet();
      else socket.send(item, from.port, from.address);
    }
  });
  t.teardown(() => socket.close());
  return { port: socket.address().port, ...seen };
}

const PORTS_TRIED = 20;

/** A UDP socket on a port that is free for it as well. */
async function bound(address: string, freePort: () => number | Promise<number>): Promise<UdpSocket> {
  for (let tried = 1; ; tried += 1) {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.bind(await freePort(), address);
    try {
      await once(socket, 'listening');
      return socket;
    } catch (error) {
      socket.close();
      if (tried === PORTS_TRIED) throw error;
    }
  }
}

async function startTcp(
  t: Test,
  quiet: () => void,
  script: TcpScript,
  note: (query: Buffer) => number,
  address: string,
): Promise<number> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    let held = Buffer.alloc(0);
    socket.on('error', () => open.delete(socket));
    socket.on('close', () => open.delete(socket));
    socket.on('data', (piece) => {
      held = Buffer.concat([held, piece]);
      if (held.length < 2 || held.length < 2 + held.readUInt16BE()) return;
      const query = held.subarray(2);
      if (script(socket, query, note(query)) === QUIET) quiet();
    });
  });
  server.listen(0, address);
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return portOf(server);
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
}

/** What a crafted reply has besides the query's ID and question. */
export interface Craft {
  readonly rcode?: number;
  readonly truncated?: boolean;
  readonly question?: 'as-asked' | 'lower-case' | 'left-out';
  /** IPv4 addresses for the name asked. */
  readonly addresses?: readonly string[];
}

/** A reply to a query, octet by octet, so that these tests do not depend on the encoder. */
export function replyTo(query: Buffer, craft: Craft = {}): Buffer {
  const { rcode = 0, truncated = false, question = 'as-asked', addresses = [] } = craft;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8400 | (truncated ? 0x0200 : 0) | rcode, 2);
  header.writeUInt16BE(question === 'left-out' ? 0 : 1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const asked = questionOf(query);
  const questions = { 'as-asked': asked, 'lower-case': lowerCase(asked), 'left-out': Buffer.alloc(0) };
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, questions[question], ...records]);
}

/** A message with the octet at an offset changed. */
export function altered(message: Buffer, offset: number, change: (octet: number) => number): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt8(change(copy.readUInt8(offset)) & 0xff, offset);
  return copy;
}

/** A message preceded by its length, as over TCP. */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** The question section of a query: its name as sent, its type and class. */
export function questionOf(query: Buffer): Buffer {
  let end = 12;
  while (query.readUInt8(end) !== 0) end += 1 + query.readUInt8(end);
  return query.subarray(12, end + 5);
}

/** Whether a query carries an OPT record. */
export function hasEdns(query: Buffer): boolean {
  return query.readUInt16BE(10) === 1;
}

/** Whether ::1 can be used here: some containers do not have it. */
export function hasIpv6Loopback(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  );
}

/** A port of 127.0.0.1 where nothing listens, neither over UDP nor TCP. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

function lowerCase(question: Buffer): Buffer {
  return Buffer.from(question.map((octet) => (octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet)));
}

export const QUESTION = { name: parseName('www.some-longer-name.example'), type: 'A' };
export const NEVER: AbortSignal = new AbortController().signal;

export const GOOD = { addresses: ['192.0.2.1'] };
export const good = (query: Buffer) => [replyTo(query, GOOD)];
export const silent: UdpScript = () => [QUIET];
export const truncated: UdpScript = (query) => [replyTo(query, { truncated: true })];
export const goodTcp: TcpScript = (socket, query) => socket.write(framed(replyTo(query, GOOD)));

/** A server, and how to ask it. */
interface World extends TestServer {
  readonly ask: (options?: Partial<ExchangeOptions>, query?: Partial<SpecialQuery>) => Promise<Exchanged>;
}

/** Starts a server whose clients time out when it is quiet, and only then. */
export async function serve(t: Test, udp: UdpScript, tcp?: TcpScript, address = '127.0.0.1'): Promise<World> {
  const { clock, quiet } = createQuietClock();
  const server = await startServer(t, quiet, udp, tcp, address);
  return {
    ...server,
    ask: (options = {}, query = {}) => {
      const exchange = createExchange({ port: server.port, clock, ...options });
      return exchange({ address, question: QUESTION, ...query }, NEVER);
    },
  };
}

/** A clock whose timers all run once it is told of quiet, after everything sent before has arrived. */
function createQuietClock(): { readonly clock: Clock; readonly quiet: () => void } {
  const timers = new Set<() => void>();
  const strike = () => {
    for (const run of timers) {
      timers.delete(run);
      run();
    }
  };
  const after = (_ms: number, run: () => void) => {
    timers.add(run);
    return () => {
      timers.delete(run);
    };
  };
  // On loopback, what is sent is in the other socket at once and read in the next turn.
  const quiet = () => setImmediate(() => setImmediate(() => setImmediate(strike)));
  return { clock: { now: systemClock.now, after }, quiet };
}

/** A try in brief: "udp edns mixed reply NOERROR". */
export function short({ transport, edns, nameCase, outcome }: Try): string {
  const how = `${transport} ${edns ? 'edns' : 'plain'} ${nameCase} ${outcome.kind}`;
  if (outcome.kind === 'reply') return `${how} ${outcome.rcode}${outcome.truncated ? ' tc' : ''}`;
  return outcome.kind === 'unreachable' ? `${how} ${outcome.code}` : how;
}

/** The outcome in brief: "NOERROR 192.0.2.1", "timeout", "unreachable (ECONNREFUSED)". */
export function shortOutcome({ outcome }: Exchanged): string {
  if (outcome.kind === 'reply') return [outcome.rcode, ...outcome.answer.map(({ data }) => data)].join(' ');
  return outcome.detail === undefined ? outcome.kind : `${outcome.kind} (${outcome.detail})`;
}
