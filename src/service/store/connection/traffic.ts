import type { Socket } from 'node:net';

/** What a connection to a store has cost so far. */
export interface StoreTraffic {
  /** Commands that were sent, or wait for the connection to come back. */
  readonly commands: number;
  readonly octetsSent: number;
  readonly octetsReceived: number;
}

/** Counts what all clients of one connection send and receive. */
export class TrafficCount {
  #commands = 0;
  #octetsSent = 0;
  #octetsReceived = 0;
  readonly #open = new Set<Socket>();

  countCommand(): void {
    this.#commands += 1;
  }

  /** Counts a socket's octets, also after it has closed. */
  watch(socket: Socket): void {
    if (this.#open.has(socket)) return;
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#octetsSent += socket.bytesWritten;
      this.#octetsReceived += socket.bytesRead;
    });
  }

  get total(): StoreTraffic {
    const open = [...this.#open];
    return {
      commands: this.#commands,
      octetsSent: open.reduce((sum, { bytesWritten }) => sum + bytesWritten, this.#octetsSent),
      octetsReceived: open.reduce((sum, { bytesRead }) => sum + bytesRead, this.#octetsReceived),
    };
  }
}
