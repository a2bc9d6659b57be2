import type { Ignored } from '../exchanged.ts';
import type { Message } from '../wire/message.ts';
import { type Expected, match } from './match.ts';

/** What came in during one try. */
export interface Inbox {
  /** Takes one message; undefined if it does not count and the wait goes on. */
  take(bytes: Uint8Array): Message | 'case-mismatch' | undefined;
  readonly ignored: readonly Ignored[];
  readonly packets: number;
  readonly bytes: number;
}

/** How many ignored messages a try remembers, so that a flood does not fill the memory. */
const MOST_REMEMBERED = 16;
const HEAD_OCTETS = 64;

/** An empty inbox that waits for the reply expected. */
export function createInbox(expected: Expected): Inbox {
  const ignored: Ignored[] = [];
  const seen = { packets: 0, bytes: 0 };
  return {
    ignored,
    get packets() {
      return seen.packets;
    },
    get bytes() {
      return seen.bytes;
    },
    take: (bytes) => {
      seen.packets += 1;
      seen.bytes += bytes.length;
      const matched = match(expected, bytes);
      switch (matched.kind) {
        case 'reply':
          return matched.message;
        case 'case-mismatch':
          return 'case-mismatch';
        case 'ignored': {
          const { kind: _, ...why } = matched;
          remember(ignored, { ...why, bytes: bytes.length, head: headOf(bytes) });
          return undefined;
        }
      }
    },
  };
}

/**
 * Beyond the bound only the first of each reason is kept: what was seen at all decides the class
 * (svc-model(7), EXCHANGES rule 1).
 */
function remember(ignored: Ignored[], one: Ignored): void {
  const isNews = ignored.every(({ reason }) => reason !== one.reason);
  if (ignored.length < MOST_REMEMBERED || isNews) ignored.push(one);
}

function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, HEAD_OCTETS)).toString('hex');
}
