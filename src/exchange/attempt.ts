import { onAbort } from '../base/abort.ts';
import { between, type Clock } from '../base/clock.ts';
import type { Message } from '../dns/message.ts';
import type { Expected, Random } from './compose.ts';
import type { Ignored, Traffic, TryOutcome } from './exchanged.ts';
import { Inbox } from './match.ts';

/**
 * Sends one query and waits for its reply, a failure or the time-out; the socket is closed in every
 * case. Rejects only with the signal's reason.
 */
export function attempt(carrier: Carrier, sending: Sending, signal: AbortSignal): Promise<Attempt> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const running = new Running(carrier, sending, (ended) => {
      ignoreAbort();
      resolve(ended);
    });
    const ignoreAbort = onAbort(signal, () => {
      running.stop();
      reject(signal.reason);
    });
  });
}

/** Where packets go: the text of an address, and a port. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** One query, ready to be sent. */
export interface Sending {
  readonly endpoint: Endpoint;
  readonly expected: Expected;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly random: Random;
}

/** A usable reply: the message, its octets, and the time since the query's packet. */
export interface Answered {
  readonly kind: 'reply';
  readonly message: Message;
  readonly bytes: number;
  readonly rttMs: number;
}

/** How an attempt ended. */
export type Ending = Answered | Exclude<TryOutcome, { readonly kind: 'reply' }>;

/** One attempt that has ended. Times are the clock's, in milliseconds. */
export interface Attempt {
  readonly ending: Ending;
  readonly ignored: readonly Ignored[];
  readonly traffic: Traffic;
  readonly sentAt: number;
  readonly endedAt: number;
}

/** What a carrier reports while it carries a query. What it reports after the end is ignored. */
export interface Listener {
  /** The first packet is being sent. */
  leaving(): void;
  /** The query has been handed to the network. */
  wrote(): void;
  /** A whole message came in. */
  came(message: Uint8Array): void;
  /** The network or this host refused, with the code of the system's error ("ECONNREFUSED"). */
  failed(code: string): void;
  /** The other side ended the connection. */
  closed(): void;
}

/**
 * Opens a socket, sends the query and reports to the listener, never before it has returned (except
 * `leaving`). The function it returns closes the socket.
 */
export type Carrier = (sending: Sending, listener: Listener) => () => void;

/**
 * This host has no descriptor, port or memory left: not the server's fault, and it passes. For each code, how
 * long that is waited for, in milliseconds.
 */
const SHORTAGES: ReadonlyMap<string, number> = new Map([
  ['EMFILE', 30_000],
  ['ENFILE', 30_000],
  ['EADDRINUSE', 30_000],
  ['EAGAIN', 30_000],
  ['ENOBUFS', 30_000],
  ['ENOMEM', 30_000],
  // No port is left to connect from; but it is also said where this host has no address of the family.
  ['EADDRNOTAVAIL', 1_000],
]);
const SHORTAGE_PAUSE_MS = 20;

class Running implements Listener {
  readonly #carrier: Carrier;
  readonly #sending: Sending;
  readonly #done: (ended: Attempt) => void;
  readonly #inbox: Inbox;
  readonly #begunAt: number;
  #sentAt: number;
  #wroteAt: number | undefined;
  #close: () => void;
  #cancelTimer: () => void = () => {};
  #state: 'open' | 'ended' = 'open';

  constructor(carrier: Carrier, sending: Sending, done: (ended: Attempt) => void) {
    this.#carrier = carrier;
    this.#sending = sending;
    this.#done = done;
    this.#inbox = new Inbox(sending.expected);
    this.#begunAt = sending.clock.now();
    this.#sentAt = this.#begunAt;
    this.#close = carrier(sending, this);
  }

  leaving(): void {
    const { clock, timeoutMs } = this.#sending;
    this.#sentAt = clock.now();
    this.#cancelTimer();
    this.#cancelTimer = clock.after(timeoutMs, () => this.#end({ kind: 'timeout' }));
  }

  wrote(): void {
    this.#wroteAt = this.#sending.clock.now();
  }

  came(bytes: Uint8Array): void {
    if (this.#state === 'ended') return;
    const message = this.#inbox.take(bytes);
    if (message === undefined) return;
    if (message === 'case-mismatch') {
      this.#end({ kind: 'case-mismatch' });
      return;
    }
    const rttMs = between(this.#wroteAt ?? this.#sentAt, this.#sending.clock.now());
    this.#end({ kind: 'reply', message, bytes: bytes.length, rttMs });
  }

  failed(code: string): void {
    if (this.#state === 'ended') return;
    const waitedMs = this.#sending.clock.now() - this.#begunAt;
    if (waitedMs < (SHORTAGES.get(code) ?? 0)) this.#reopenLater();
    // The kernel gave up before we did.
    else if (code === 'ETIMEDOUT') this.#end({ kind: 'timeout' });
    else this.#end({ kind: 'unreachable', code });
  }

  closed(): void {
    this.#end({ kind: 'closed' });
  }

  /** Ends it without a result. */
  stop(): void {
    this.#state = 'ended';
    this.#cancelTimer();
    this.#close();
  }

  #reopenLater(): void {
    this.#cancelTimer();
    this.#close();
    this.#close = () => {};
    this.#cancelTimer = this.#sending.clock.after(SHORTAGE_PAUSE_MS, () => {
      this.#close = this.#carrier(this.#sending, this);
    });
  }

  #end(ending: Ending): void {
    if (this.#state === 'ended') return;
    this.stop();
    const { ignored, packets, bytes } = this.#inbox;
    const written = this.#wroteAt === undefined ? 0 : 1;
    this.#done({
      ending,
      ignored,
      traffic: {
        packetsSent: written,
        packetsReceived: packets,
        bytesSent: written * this.#sending.expected.sent.length,
        bytesReceived: bytes,
      },
      sentAt: this.#sentAt,
      endedAt: this.#sending.clock.now(),
    });
  }
}

/** The code of a system error ("ECONNREFUSED"), or the message of an error without one. */
export function errorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
