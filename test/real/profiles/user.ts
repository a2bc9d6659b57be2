import { createSocket } from 'node:dgram';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { encodeQuery } from '../../../src/dns/encode.ts';
import type { Message } from '../../../src/dns/message.ts';

/** What a program of a user hears: the first reply and when it came, in milliseconds after the first query. */
export interface Heard {
  readonly reply: Message;
  readonly afterMs: number;
}

/** How long a user's program waits for a reply, and then again (resolv.conf(5): timeout 5, attempts 2). */
export const USER_WAITS_MS = 5000;
const ATTEMPTS = 2;
/** How long a resolver may take to say that it gives up: to nobody, but it says so. */
const LAST_WORD_MS = 16_000;

/**
 * Asks as the stub resolver of a C library does: a query, the same again after 5 s from the same socket, and nothing
 * heard after 10 s is undefined; but SERVFAIL is heard later, too.
 */
export async function askAsUser(
  address: string,
  { name, type }: { readonly name: string; readonly type: string },
  flags: readonly ('rd' | 'ad')[] = ['rd'],
): Promise<Heard | undefined> {
  const query = encodeQuery({ id: 1, nameAsSent: name, type, flags });
  const socket = createSocket('udp4');
  const timers: NodeJS.Timeout[] = [];
  try {
    return await new Promise<Heard | undefined>((resolve, reject) => {
      socket.on('error', reject);
      socket.connect(53, address, () => {
        const start = performance.now();
        socket.on('message', (octets) => {
          const reply = decodeMessage(octets);
          const afterMs = performance.now() - start;
          const isTooLate = afterMs > ATTEMPTS * USER_WAITS_MS && reply.rcode !== 'SERVFAIL';
          resolve(isTooLate ? undefined : { reply, afterMs });
        });
        for (let i = 0; i < ATTEMPTS; i += 1) {
          timers.push(setTimeout(() => socket.send(query), i * USER_WAITS_MS));
        }
        timers.push(setTimeout(resolve, LAST_WORD_MS, undefined));
      });
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    socket.close();
  }
}
