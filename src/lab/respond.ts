import { decodeMessage } from '../wire/decode.ts';
import type { Message } from '../wire/message.ts';
import { DecodeError } from '../wire/reader.ts';
import type { Counts } from './counts.ts';
import type { Respond } from './listen.ts';
import { reactionTo, reactionToUndecodable, SILENCE } from './reaction.ts';
import type { Received } from './received.ts';
import type { Server } from './world.ts';

/** What a server does about the messages that reach one of its addresses over one transport; it counts the queries. */
export function responder(
  server: Server,
  { address, transport }: Pick<Received, 'address' | 'transport'>,
  counts: Counts,
): Respond {
  return (octets) => {
    const query = decoded(octets);
    if (query === undefined) return reactionToUndecodable(octets, transport);
    if (query.flags.includes('qr')) return SILENCE;
    return reactionTo({ query, transport, address, count: count(query) }, server);
  };

  function count(query: Message): number {
    const [question] = query.questions;
    if (question === undefined) return 1;
    const { name, type, class: qclass } = question;
    return counts.add({ server: server.name, address, transport, name, type, class: qclass });
  }
}

function decoded(octets: Uint8Array): Message | undefined {
  try {
    return decodeMessage(octets);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
