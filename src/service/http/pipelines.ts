import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Counts the requests on each connection whose replies are not through yet. Few clients send one before
 * the last is answered; but a small packet holds a thousand, and their replies would all wait in memory.
 */
export class Pipelines {
  readonly #most: number;
  readonly #waiting = new WeakMap<Duplex, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether one more request may be answered on its connection. It is counted until its reply is through. */
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
