import { createSocket } from 'node:dgram';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeMessage } from '../../src/dns/decode.ts';
import { encodeQuery } from '../../src/dns/encode.ts';
import type { Message } from '../../src/dns/message.ts';

/** What came of one query: a closed port shows at once, as an error of the connected socket. */
type Heard = Message | 'refused' | 'nothing';

/** A server that has just been started may not listen yet. */
const knockMs = 5;
/** Debian's unbound drops an answer that took it longer than 1.9 s: a client has to ask again. */
const askAgainMs = 2500;
const patienceMs = 20_000;

/** What a stub resolver sets; with AD it says that it wants to know what was proven (RFC 6840 5.7). */
type StubFlags = readonly ('rd' | 'ad')[];

/**
 * Asks as a stub resolver does, over UDP with RD set, again and again until a reply comes; undefined
 * if none has after 20 s. Rejects if at the end nothing listens there.
 */
export async function ask(
  address: string,
  name: string,
  type: string,
  flags: StubFlags = ['rd'],
): Promise<Message | undefined> {
  const deadline = Date.now() + patienceMs;
  let heard: Heard = 'nothing';
  while (Date.now() < deadline) {
    heard = await askOnce(address, name, type, askAgainMs, flags);
    if (typeof heard === 'object') return heard;
    if (heard === 'refused') await delay(knockMs);
  }
  if (heard === 'refused') throw new Error(`nothing listens at ${address}`);
  return undefined;
}

/** Sends one query and waits for its reply. */
export async function askOnce(
  address: string,
  name: string,
  type: string,
  waitMs: number,
  flags: StubFlags = ['rd'],
): Promise<Heard> {
  // The socket is connected and new: the ID need not be random.
  const query = encodeQuery({ id: 1, nameAsSent: name, type, flags });
  const socket = createSocket('udp4');
  try {
    return await new Promise<Heard>((resolve) => {
      const timer = setTimeout(resolve, waitMs, 'nothing');
      const settle = (heard: Heard) => {
        clearTimeout(timer);
        resolve(heard);
      };
      socket.on('error', () => settle('refused'));
      socket.on('message', (reply) => settle(decodeMessage(reply)));
      socket.connect(53, address, () => socket.send(query));
    });
  } finally {
    socket.close();
  }
}
