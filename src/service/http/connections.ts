import type { Clock } from '../../exchange/clock.ts';
import { PeerLimit } from '../clients/peer-limit.ts';
import type { ServiceSettings } from '../settings.ts';
import { Connection, type Socket } from './connection.ts';

/** How many connections there may be, and how long they wait. */
export type ConnectionRules = Pick<
  ServiceSettings,
  'maxConnections' | 'maxConnectionsPerClient' | 'trustedProxies' | 'timeouts'
>;

/**
 * The open connections. When there are too many, a new one takes the place of the one that has been idle
 * longest, so that idle ones lock nobody out.
 */
export class Connections {
  readonly #rules: ConnectionRules;
  readonly #clock: Clock;
  readonly #refused: () => void;
  readonly #perPeer: PeerLimit;
  /** The one that has not moved for longest comes first. */
  readonly #open = new Map<Socket, Connection>();

  /** `refused` is called for each connection that is closed because there are too many. */
  constructor(rules: ConnectionRules, clock: Clock, refused: () => void) {
    this.#rules = rules;
    this.#clock = clock;
    this.#refused = refused;
    this.#perPeer = new PeerLimit(rules.maxConnectionsPerClient, rules.trustedProxies);
  }

  get count(): number {
    return this.#open.size;
  }

  /** Takes a new connection in, or closes it. */
  admit(socket: Socket, peer: string | undefined): void {
    const onceGone = (run: () => void) => socket.once('close', run);
    // Those of its own client come first: what one has too many of takes nobody else's place.
    if (!this.#perPeer.take(peer, onceGone) || !this.#makeRoom()) {
      this.#refused();
      socket.destroy();
      return;
    }
    const moved = () => {
      const connection = this.#open.get(socket);
      if (connection === undefined) return;
      this.#open.delete(socket);
      this.#open.set(socket, connection);
    };
    this.#open.set(socket, new Connection(socket, this.#rules.timeouts, this.#clock, moved));
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Undefined if it has been closed. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket);
  }

  #makeRoom(): boolean {
    if (this.#open.size < this.#rules.maxConnections) return true;
    const [socket, connection] = this.#longestIdle() ?? [];
    if (socket === undefined || connection === undefined) return false;
    this.#refused();
    this.#open.delete(socket);
    connection.destroy();
    return true;
  }

  /** The connection that has waited longest for a request, or else for its client to take a reply. */
  #longestIdle(): readonly [Socket, Connection] | undefined {
    let slow: readonly [Socket, Connection] | undefined;
    for (const [socket, connection] of this.#open) {
      if (connection.waits) return [socket, connection];
      if (!connection.atWork) slow ??= [socket, connection];
    }
    return slow;
  }
}
