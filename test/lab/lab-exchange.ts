import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { decodeMessage } from '../../src/dns/decode.ts';
import { encodeQuery } from '../../src/dns/encode.ts';
import type { Message } from '../../src/dns/message.ts';
import type { Exchanged, Failure, Reply } from '../../src/exchange/exchanged.ts';
import type { Query } from '../../src/exchange/query.ts';
import { createDeframer, withLength } from '../../src/exchange/tcp.ts';
import { reactionTo } from '../../src/lab/reaction.ts';
import { readWorld, type Server, type World } from '../../src/lab/world.ts';

/** What comes of asking the servers of a world with DO, over TCP, at once and without a network. */
export function labExchange(world: World): (query: Query) => Exchanged {
  const servers = readWorld(world);
  return (query) => {
    const server = servers.find(({ addresses }) => addresses.includes(query.address));
    return exchanged(query, server && replyBy(server, query));
  };
}

function replyBy(server: Server, { address, question }: Query): Message | undefined {
  const edns = { version: 0, payloadSize: 1232, do: true, options: [] };
  const query = decodeMessage(encodeQuery({ id: 1, nameAsSent: question.name, type: question.type, edns }));
  const [sent] = reactionTo({ query, transport: 'tcp', address, count: 1 }, server).sends;
  // After the two octets of the length.
  return sent && decodeMessage(sent.octets.subarray(2));
}

function exchanged({ address, question }: Query, message: Message | undefined): Exchanged {
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived: 40 };
  const outcome = outcomeOf(message);
  return { address, question, outcome, transport: 'tcp', tries: [], elapsedMs: 1, traffic };
}

function outcomeOf(message: Message | undefined): Reply | Failure {
  if (message === undefined) return { kind: 'timeout' };
  const { rcode, flags, edns, answer, authority, additional } = message;
  const sections = { answer, authority, additional };
  return { kind: 'reply', rcode, flags, rttMs: 1, bytes: 40, ...(edns && { edns }), ...sections };
}

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
