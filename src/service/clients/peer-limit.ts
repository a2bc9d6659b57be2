import { unmapped } from '../../wire/address.ts';
import { isLoopback } from '../../wire/special-purpose.ts';
import { isTrustedProxy, type TrustedProxies } from './client-ip.ts';
import { clientNetwork } from './client-network.ts';

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
