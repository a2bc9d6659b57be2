import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import type { Timeouts } from '../settings.ts';
import { type FaultReply, faultReply } from './response.ts';

/**
 * One client's connection. It waits for whole heads and whole bodies, so octets that drip in gain nobody
 * any time, and it ends in `destroy`: a client that reads nothing keeps a socket that has merely been
 * ended for as long as it likes.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #timeouts: Timeouts;
  readonly #clock: Clock;
  readonly #moved: () => void;
  readonly #unanswered = new Map<ServerResponse, Live>();
  #message: IncomingMessage | undefined;
  #response: ServerResponse | undefined;
  #readAtRest = 0;
  #stalling = false;
  #refused = false;
  #cancelTimer: (() => void) | undefined;

  /** `moved` is called whenever the connection begins to wait for something else, or its client took something. */
  constructor(socket: Socket, timeouts: Timeouts, clock: Clock, moved: () => void) {
    this.#socket = socket;
    this.#timeouts = timeouts;
    this.#clock = clock;
    this.#moved = moved;
    // A connection that breaks also closes, which is handled there.
    socket.on('error', () => socket.destroy());
    socket.on('drain', () => this.#drained());
    socket.once('close', () => this.#cancelTimer?.());
    this.#wait(timeouts.headMs);
  }

  /** Whether it waits for its client to send something. */
  get waits(): boolean {
    return this.#unanswered.size === 0 || this.#message?.complete !== true;
  }

  /** Whether the next move is the service's. */
  get atWork(): boolean {
    const [next] = this.#unanswered;
    if (this.waits || next === undefined) return false;
    const [response, live] = next;
    return !response.headersSent || live();
  }

  /** The head of a request has arrived. False if it is not to be answered: the connection is over. */
  begin(message: IncomingMessage, response: ServerResponse): boolean {
    if (this.#refused || this.#unanswered.size >= MAX_UNANSWERED) {
      // RFC 9112 9.3.2: the client then repeats, one by one, what was not answered.
      this.#socket.destroy();
      return false;
    }
    this.#message = message;
    this.#response = response;
    this.#unanswered.set(response, NOT_A_STREAM);
    response.once('close', () => this.#answered(response));
    this.#wait(this.#timeouts.bodyMs);
    return true;
  }

  /** The reply is a stream, which is watched elsewhere. `live`: whether there is more to come. */
  streams(response: ServerResponse, live: () => boolean): void {
    if (this.#unanswered.has(response)) this.#unanswered.set(response, live);
  }

  /** Says what is wrong with a request, if it can still be said, and closes. */
  refuse(reply: FaultReply): void {
    if (this.#isAnswered() || !this.#socket.writable) {
      this.#socket.destroy();
      return;
    }
    this.#refused = true;
    this.#socket.end(reply);
    this.#cancelTimer?.();
    this.#cancelTimer = this.#clock.after(LINGER_MS, () => this.#socket.destroy());
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /**
   * Whether a reply has begun that another would end up in the middle of. It is either the next, or that to the request
   * that failed.
   */
  #isAnswered(): boolean {
    const [reply = this.#response] = this.#unanswered.keys();
    return reply?.headersSent === true && !(reply.writableFinished && reply.req.complete);
  }

  #answered(response: ServerResponse): void {
    this.#unanswered.delete(response);
    if (this.#unanswered.size > 0 || this.#message?.complete !== true) return;
    this.#readAtRest = this.#socket.bytesRead ?? 0;
    this.#wait(this.#timeouts.headMs);
  }

  #drained(): void {
    this.#stalling = false;
    if (!this.waits) this.#wait(this.#timeouts.stallMs);
  }

  #wait(ms: number): void {
    // Node closes the socket before its replies.
    if (this.#refused || this.#socket.destroyed) return;
    this.#moved();
    this.#cancelTimer?.();
    this.#cancelTimer = this.#clock.after(ms, () => this.#due());
  }

  #due(): void {
    if (this.waits) this.#giveUp();
    else if (this.#stalling) this.#socket.destroy();
    else {
      const [live] = this.#unanswered.values();
      this.#stalling = this.#socket.writableLength > 0 && live === NOT_A_STREAM;
      this.#cancelTimer = this.#clock.after(this.#timeouts.stallMs, () => this.#due());
    }
  }

  /** Between two requests nothing is owed to a client, so nothing is said. */
  #giveUp(): void {
    const atRest = this.#response !== undefined && this.#socket.bytesRead === this.#readAtRest;
    if (this.#unanswered.size === 0 && atRest) this.#socket.destroy();
    else this.refuse(TOO_SLOW);
  }
}

/** A connection's socket; Node counts what it received. */
export type Socket = Duplex & { readonly bytesRead?: number };

/** Requests on one connection that may wait for their replies: a thousand would fit into a small packet. */
const MAX_UNANSWERED = 16;

/** How long a client that was refused has to read why. Closing at once could take that from it (RFC 9112 9.6). */
const LINGER_MS = 1_000;

const TOO_SLOW = faultReply(408, 'The request took too long to arrive.');

/** Whether there is more to come on a stream. */
type Live = () => boolean;

const NOT_A_STREAM: Live = () => false;
