import { decodeMessage } from '../wire/decode.ts';
import type { Message } from '../wire/message.ts';
import { DecodeError } from '../wire/reader.ts';
import type { Counts } from './counts.ts';
import type { Transport } from './faults.ts';
import type { Respond } from './listen.ts';
import { planFor, planForUndecodable, SILENCE } from './plan.ts';
import type { Server } from './world.ts';

/** What a server does about the messages that reach one of its addresses; each query is counted. */
export function responder(server: Server, address: string, transport: Transport, counts: Counts): Respond {
  return (octets) => {
    const query = decoded(octets);
    if (query === undefined) return planForUndecodable(octets, transport);
    if (query.flags.includes('qr')) return SILENCE;
    return planFor(server, { query, transport, address, count: count(query) });
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
