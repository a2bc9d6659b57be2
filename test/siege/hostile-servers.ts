import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import { decodeMessage } from '../../src/dns/decode.ts';
import { type EncodableRecord, encodeMessage } from '../../src/dns/encode.ts';
import type { AskedQuestion } from '../../src/dns/message.ts';
import { parseName, ROOT } from '../../src/dns/name.ts';
import { encodeRdata } from '../../src/dns/rdata/rdata.ts';
import { createDeframer, withLength } from '../../src/exchange/tcp.ts';

/** What a hostile server says to a question; undefined: nothing. */
export type Says = (question: AskedQuestion, address: string) => Said | undefined;

/** The sections of a reply that a hostile server sends. */
export interface Said {
  readonly answer?: readonly EncodableRecord[];
  readonly authority?: readonly EncodableRecord[];
  readonly additional?: readonly EncodableRecord[];
  readonly rcode?: string;
  /** How long the server takes. */
  readonly delayMs?: number;
}

/** Name servers that mean harm, on loopback. */
export interface HostileServers {
  readonly port: number;
  /** named.root text that names the first address. */
  readonly hints: string;
  /** Packets and connections that came in. */
  readonly asked: () => number;
  /** Octets sent. */
  readonly sent: () => number;
  readonly close: () => Promise<void>;
}

/** Octets that a reply over UDP may have; longer ones are cut, and the whole goes over TCP. */
const UDP_OCTETS = 1_232;

/** The address of a server, the first being number 1: `127.0.BLOCK.1` and so on. */
export function hostileAddress(block: number, number: number): string {
  return `127.0.${block + (number >> 8)}.${number & 255}`;
}

/** Starts servers on these addresses, all at one port, that all say the same. */
export async function startHostileServers(block: number, count: number, says: Says): Promise<HostileServers> {
  const addresses = Array.from({ length: count }, (_, at) => hostileAddress(block, at + 1));
  const counted = { asked: 0, sent: 0 };
  const closers: (() => Promise<void>)[] = [];
  let port = 0;
  const reply: Reply = (message, address, limit, send) => {
    counted.asked += 1;
    const { id, questions } = decodeMessage(message);
    const [question] = questions;
    const said = question === undefined ? undefined : says(question, address);
    if (said === undefined) return;
    const { answer = [], authority = [], additional = [], rcode = 'NOERROR', delayMs } = said;
    const flags = answer.length > 0 ? (['qr', 'aa'] as const) : (['qr'] as const);
    const octets = encodeMessage({ id, flags, rcode, questions, answer, authority, additional }, limit);
    counted.sent += octets.length;
    if (delayMs === undefined) send(octets);
    else setTimeout(() => send(octets), delayMs);
  };
  for (const address of addresses) {
    const tcp = createServer({ noDelay: true }, (socket) =>
      converse(socket, (message, send) => reply(message, address, 65_535, send)),
    );
    await new Promise<void>((resolve) => tcp.listen({ host: address, port, backlog: 1_024 }, resolve));
    const bound = tcp.address();
    if (typeof bound === 'object' && bound !== null) port = bound.port;
    const udp = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
    udp.on('message', (message, from) => {
      reply(message, address, UDP_OCTETS, (octets) => udp.send(octets, from.port, from.address));
    });
    await new Promise<void>((resolve) => udp.bind({ address, port, exclusive: true }, resolve));
    closers.push(
      () => new Promise((resolve) => udp.close(() => resolve())),
      () => new Promise((resolve) => tcp.close(() => resolve())),
    );
  }
  const hints = `. 3600 NS a.root.\na.root. 3600 A ${addresses[0]}\n`;
  const close = async () => void (await Promise.all(closers.map((one) => one())));
  return { port, hints, asked: () => counted.asked, sent: () => counted.sent, close };
}

type Send = (octets: Uint8Array) => void;
type Reply = (message: Uint8Array, address: string, limit: number, send: Send) => void;

function converse(socket: Socket, reply: (message: Uint8Array, send: Send) => void): void {
  const deframe = createDeframer();
  socket.unref();
  socket.on('error', () => socket.destroy());
  socket.on('data', (piece) => {
    for (const message of deframe(piece)) reply(message, (octets) => socket.write(withLength(octets)));
  });
}

/** A record of a hostile reply, its data in presentation format. */
export function record(name: string, type: string, data: string): EncodableRecord {
  return { name: parseName(name), type, ttl: 60, rdata: encodeRdata(type, data, ROOT) };
}

const FILLER: readonly EncodableRecord[] = Array.from({ length: 3_700 }, (_, at) =>
  record('.', 'A', `203.0.${at >> 8}.${at & 255}`),
);

/** No more are read of one reply. */
const MOST_RECORDS = 4_096;

/** The zone one label below where the server stands, by the name asked: the server's depth is in its address. */
function cutAt(question: AskedQuestion, depth: number): string {
  return question.name
    .split('.')
    .slice(-1 - depth)
    .join('.');
}

/**
 * At every cut one of two sets of names for the same servers, by the address that is asked: the chains
 * double with every label, and each reply is as large as a message can be.
 */
export function doublingChains(block: number, servers: number): Says {
  return (question, address) => {
    if (question.name === ROOT) return { rcode: 'REFUSED' };
    const labels = question.name.split('.').length - 1;
    const at = Number(address.split('.').at(-1));
    const depth = at === 1 ? 1 : 2 + ((at - 2) % Math.max(1, labels));
    const zone = cutAt(question, Math.min(depth, labels));
    const half = Math.floor(servers / 2);
    const names = Array.from({ length: half }, (_, n) => `n${n}.${at % 2 === 0 ? 'even' : 'odd'}.${zone}`);
    return {
      authority: names.map((name) => record(zone, 'NS', name)),
      additional: [
        ...names.map((name, n) => record(name, 'A', `127.0.${block}.${2 + ((n * 2 + at) % (servers - 1))}`)),
        ...FILLER.slice(0, 2_000),
      ],
    };
  };
}

/** Thousands of aliases in every reply, the first of which leads on to a name that is asked again. */
export function endlessAliases(count: number): Says {
  return (question) => {
    const serial = Number(/^e(\d+)\./.exec(question.name)?.[1] ?? '0');
    const others = Array.from({ length: count - 1 }, (_, n) =>
      record(`c${n}.s${serial}.`, 'CNAME', `c${n + 1}.s${serial}.`),
    );
    return { answer: [record(question.name, 'CNAME', `e${serial + 1}.`), ...others] };
  };
}

/** Replies full of the smallest records there are: a few octets heard make the most objects. */
export function tinyRecords(block: number, servers: number): Says {
  return (question) => {
    if (question.name === ROOT) return { rcode: 'REFUSED' };
    const zone = cutAt(question, 1);
    const names = Array.from({ length: servers - 1 }, (_, n) => `n${n}.${zone}`);
    const filler = FILLER.slice(0, MOST_RECORDS - 2 * names.length);
    return {
      authority: names.map((name) => record(zone, 'NS', name)),
      additional: [...names.map((name, n) => record(name, 'A', `127.0.${block}.${n + 2}`)), ...filler],
    };
  };
}

/** Referrals that name thousands of servers, all at one of two addresses, from each label to the next. */
export function manyNames(block: number, names: number): Says {
  return (question, address) => {
    const labels = question.name === ROOT ? 0 : question.name.split('.').length - 1;
    const depth = Number(address.split('.').at(-1)) >> 1;
    if (depth >= labels) return { rcode: 'NXDOMAIN' };
    const zone = cutAt(question, depth + 1);
    const servers = Array.from({ length: names }, (_, n) => `n${n}.${zone}`);
    return {
      authority: servers.map((name) => record(zone, 'NS', name)),
      additional: servers.map((name, n) => record(name, 'A', `127.0.${block}.${2 * (depth + 1) + (n % 2)}`)),
    };
  };
}
