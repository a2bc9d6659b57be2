import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Counts the unanswered requests on each connection. Few clients send one before the last is answered,
 * but a thousand fit into a small packet, and all their replies would wait in memory.
 */
export class Pipelines {
  readonly #most: number;
  readonly #waiting = new WeakMap<Duplex, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether one more request on this connection may be answered. It is counted until its reply has been sent. */
  take(connection: Duplex, response: ServerResponse): boolean {
    const waiting = this.#waiting.get(connection) ?? 0;
    if (waiting >= this.#most) return false;
    this.#waiting.set(connection, waiting + 1);
    response.once('close', () => {
      this.#waiting.set(connection, (this.#waiting.get(connection) ?? 1) - 1);
    });
    return true;
  }
}
