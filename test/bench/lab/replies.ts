import { decodeMessage } from '../../../src/dns/decode.ts';
import { encodeMessage } from '../../../src/dns/encode.ts';
import { parseName } from '../../../src/dns/name.ts';
import { reactionTo } from '../../../src/lab/reaction.ts';
import { signedServers } from '../worlds/signed-servers.ts';
import { type BenchWorld, saysIn } from '../worlds/world.ts';

const HEADER_OCTETS = 12;
const PAYLOAD_SIZE = 1_232;

/**
 * The replies of a world's servers. Each is encoded once: queries that differ in their ID, in the case of letters or in
 * the seven digits of a name get the same octets, but for the ID and the question, which are theirs. Names in a reply
 * point to the question, so they follow it.
 */
export function leanReplies(world: BenchWorld): (address: string, query: Buffer) => Buffer {
  const encoded = world.isSigned === true ? signedEncoder(world) : plainEncoder(world);
  const kept = new Map<string, Buffer>();
  return (address, query) => {
    const like = likeness(query);
    const key = `${address} ${like}`;
    let template = kept.get(key);
    if (template === undefined) {
      template = encoded(address, Buffer.from(`\0\0${like}`, 'latin1'));
      kept.set(key, template);
    }
    return repeating(query, template);
  };
}

type Encoder = (address: string, query: Buffer) => Buffer;

function plainEncoder(world: BenchWorld): Encoder {
  const says = saysIn(world);
  return (address, query) => {
    const { questions, edns } = decodeMessage(query);
    const [question] = questions;
    if (question === undefined) throw new Error('a query without a question');
    const asked = { name: parseName(question.name), type: question.type };
    const said = question.class === 'IN' ? says(address, asked) : { ...NOTHING, rcode: 'REFUSED' };
    const octets = encodeMessage(
      {
        id: 0,
        flags: said.answer.length > 0 ? ['qr', 'aa'] : ['qr'],
        questions,
        ...said,
        ...(edns && { edns: { version: 0, payloadSize: PAYLOAD_SIZE, do: edns.do, options: [] } }),
      },
      PAYLOAD_SIZE,
    );
    return Buffer.from(octets);
  };
}

function signedEncoder(world: BenchWorld): Encoder {
  const { servers } = signedServers(world);
  const plain = plainEncoder(world);
  return (address, query) => {
    const server = servers.get(address);
    // The resolver of whoever does not look up servers' addresses.
    if (server === undefined) return plain(address, query);
    const received = { query: decodeMessage(query), transport: 'udp', address, count: 1 } as const;
    const [sent] = reactionTo(received, server).sends;
    return Buffer.from(sent?.octets ?? []);
  };
}

const NOTHING = { answer: [], authority: [], additional: [] } as const;

/** What queries have in common that get the same reply. */
function likeness(query: Buffer): string {
  const end = query.indexOf(0, HEADER_OCTETS);
  const name = query.toString('latin1', 2, end).toLowerCase();
  return `${name.replace(/d\d{7}/, 'd0000000')}${query.toString('latin1', end)}`;
}

/** The reply with the ID and the question of this query. */
function repeating(query: Buffer, template: Buffer): Buffer {
  const reply = Buffer.from(template);
  query.copy(reply, 0, 0, 2);
  query.copy(reply, HEADER_OCTETS, HEADER_OCTETS, questionEnd(query));
  return reply;
}

/** Behind the labels, their last octet 0, come a type and a class. */
function questionEnd(query: Buffer): number {
  return query.indexOf(0, HEADER_OCTETS) + 5;
}
