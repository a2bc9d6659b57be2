import { decodeMessage } from '../../src/dns/decode.ts';
import { encodeQuery } from '../../src/dns/encode.ts';
import type { Message } from '../../src/dns/message.ts';
import type { Exchanged, Failure, Reply } from '../../src/exchange/exchanged.ts';
import type { Query } from '../../src/exchange/query.ts';
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
