import type { Attempt, Ending } from './attempt.ts';
import { between } from './clock.ts';
import type { Exchanged, ExchangeStage, Failure, Reply, Traffic, Try, TryOutcome } from './exchanged.ts';
import type { Query } from './query.ts';

/** What one exchange has seen so far. */
export interface Ledger {
  /** Enters an attempt as a try of its stage. `heldUpMs`: how long the pacer, or a shortage of this host, made it wait. */
  enter(stage: ExchangeStage, attempt: Attempt, heldUpMs: number): void;
  /** Closes the ledger with the outcome, in the stage that decided. */
  close(query: Query, stage: ExchangeStage, outcome: Reply | Failure): Exchanged;
}

/** An empty ledger. Its time starts with the first packet and stops while it waits to send another. */
export function createLedger(): Ledger {
  const tries: Try[] = [];
  let traffic: Traffic = { packetsSent: 0, packetsReceived: 0, bytesSent: 0, bytesReceived: 0 };
  let zero: number | undefined;
  let elapsedMs = 0;
  return {
    enter: (stage, attempt, heldUpMs) => {
      zero = zero === undefined ? attempt.sentAt : zero + heldUpMs;
      elapsedMs = between(zero, attempt.endedAt);
      traffic = sum(traffic, attempt.traffic);
      const { transport, edns, nameCase } = stage;
      tries.push({
        transport,
        edns,
        nameCase,
        sentMs: between(zero, attempt.sentAt),
        elapsedMs: between(attempt.sentAt, attempt.endedAt),
        outcome: outcomeOf(attempt.ending),
        ignored: attempt.ignored,
      });
    },
    close: ({ address, question }, { transport }, outcome) => {
      return { address, question, outcome, transport, tries, elapsedMs, traffic };
    },
  };
}

function sum(a: Traffic, b: Traffic): Traffic {
  return {
    packetsSent: a.packetsSent + b.packetsSent,
    packetsReceived: a.packetsReceived + b.packetsReceived,
    bytesSent: a.bytesSent + b.bytesSent,
    bytesReceived: a.bytesReceived + b.bytesReceived,
  };
}

function outcomeOf(ending: Ending): TryOutcome {
  if (ending.kind !== 'reply') return ending;
  const { message, bytes } = ending;
  return { kind: 'reply', rcode: message.rcode, truncated: message.flags.includes('tc'), bytes };
}
