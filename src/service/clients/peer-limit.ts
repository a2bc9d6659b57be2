import { unmapped } from '../../wire/address.ts';
import { isLoopback } from '../../wire/special-purpose.ts';

/** Counts connections by the address they come from. */
export class PeerLimit {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  /** `most`: 0 for no limit. */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many addresses have open connections, loopback excepted. */
  get peers(): number {
    return this.#open.size;
  }

  /** Whether one more connection from the address may stay. If so it is counted until `onceGone` runs its argument. */
  take(peer = '', onceGone: (run: () => void) => void): boolean {
    // The connections of a proxy on this host are everybody's.
    if (this.#most === 0 || isLoopback(unmapped(peer))) return true;
    const open = this.#open.get(peer) ?? 0;
    if (open >= this.#most) return false;
    this.#open.set(peer, open + 1);
    onceGone(() => this.#give(peer));
    return true;
  }

  #give(peer: string): void {
    const open = (this.#open.get(peer) ?? 1) - 1;
    if (open === 0) this.#open.delete(peer);
    else this.#open.set(peer, open);
  }
}
