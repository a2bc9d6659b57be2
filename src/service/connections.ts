import type { Clock } from '../base/clock.ts';
import { unmapped } from '../dns/address.ts';
import { isLoopback } from '../dns/special-purpose.ts';
import { clientNetwork, isTrustedProxy, type TrustedProxies } from './client.ts';
import { Connection, type Socket } from './http/connection.ts';
import type { ServiceSettings } from './settings.ts';

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

/** How many connections there may be, and how long they wait. */
export type ConnectionRules = Pick<
  ServiceSettings,
  'maxConnections' | 'maxConnectionsPerClient' | 'trustedProxies' | 'timeouts'
>;

/** Counts connections by where they come from: an IPv4 address, or the /64 of an IPv6 address. */
export class PeerLimit {
  readonly #most: number;
  readonly #proxies: TrustedProxies;
  readonly #open = new Map<string, number>();

  /** `most`: 0 for no limit. `proxies`: where everybody's connections come from, if they are named. */
  constructor(most: number, proxies: TrustedProxies) {
    this.#most = most;
    this.#proxies = proxies;
  }

  /** The number of networks with counted connections. */
  get peers(): number {
    return this.#open.size;
  }

  /** Whether one more connection from the address may stay. If so it is counted until `onceGone` runs its argument. */
  take(peer = '', onceGone: (run: () => void) => void): boolean {
    const address = unmapped(peer);
    if (this.#most === 0 || this.#isEverybody(address)) return true;
    const party = clientNetwork(address);
    const open = this.#open.get(party) ?? 0;
    if (open >= this.#most) return false;
    this.#open.set(party, open + 1);
    onceGone(() => this.#give(party));
    return true;
  }

  /** A proxy may stand on this host, too. */
  #isEverybody(address: string): boolean {
    return isLoopback(address) || (this.#proxies !== 'all' && isTrustedProxy(address, this.#proxies));
  }

  #give(party: string): void {
    const open = (this.#open.get(party) ?? 1) - 1;
    if (open === 0) this.#open.delete(party);
    else this.#open.set(party, open);
  }
}
