import type { Ignored } from '../exchanged.ts';
import type { Message } from '../wire/message.ts';
import { type Asked, match } from './match.ts';

/** What came in during one try. */
export interface Inbox {
  /** Takes one message; undefined if it does not count and is to be waited past. */
  take(bytes: Uint8Array): Message | 'case-mismatch' | undefined;
  readonly ignored: readonly Ignored[];
  readonly packets: number;
  readonly bytes: number;
}

/** How many ignored messages a try remembers: a flood shall not fill memory. */
const MOST_REMEMBERED = 16;
const HEAD_OCTETS = 64;

/** An empty inbox that waits for the reply to what was asked. */
export function createInbox(asked: Asked): Inbox {
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
      const matched = match(asked, bytes);
      if (matched.kind === 'reply') return matched.message;
      if (matched.kind === 'case-mismatch') return 'case-mismatch';
      const { kind: _, ...why } = matched;
      remember(ignored, { ...why, bytes: bytes.length, head: headOf(bytes) });
      return undefined;
    },
  };
}

/** Beyond the bound only the first of a reason is kept, since what was seen at all decides (MODEL 4, rule 1). */
function remember(ignored: Ignored[], one: Ignored): void {
  const isNews = ignored.every(({ reason }) => reason !== one.reason);
  if (ignored.length < MOST_REMEMBERED || isNews) ignored.push(one);
}

function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, HEAD_OCTETS)).toString('hex');
}
