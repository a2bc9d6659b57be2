import type { Clock } from '../../../exchange/clock.ts';
import type { StoreClient } from './store-client.ts';

/** What a pulse tells. */
interface PulseListener {
  readonly beat: () => void;
  /** The store does not write, or does not answer. */
  readonly missed: (error: unknown) => void;
}

/** How often the store is asked to write something. */
const EVERY_MS = 1_000;

/** A reply that takes longer is no pulse. */
const PATIENCE_MS = 2_500;

/** For how long the store remembers a pulse: then others go on with what this instance did. */
const KEPT_MS = 5_000;

/**
 * Writes a key again and again, to find out whether the store can still be written to: one that is out of
 * memory, has a full disk or has become a replica answers everything else.
 */
export class Pulse {
  readonly #client: StoreClient;
  readonly #key: string;
  readonly #clock: Clock;
  readonly #listener: PulseListener;
  #cancelTimer: () => void = () => {};
  #ended = false;
  #beating = false;

  constructor(client: StoreClient, key: string, clock: Clock, listener: PulseListener) {
    this.#client = client;
    this.#key = key;
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Beats now, and then every second until it is stopped. */
  async beat(): Promise<void> {
    if (this.#beating || this.#ended) return;
    this.#beating = true;
    this.#cancelTimer();
    const cancelPatience = this.#clock.after(PATIENCE_MS, () => this.#tell(new Error('Command timed out')));
    const missed = await this.#write();
    cancelPatience();
    this.#beating = false;
    this.#tell(missed);
    if (!this.#ended) this.#cancelTimer = this.#clock.after(EVERY_MS, () => void this.beat());
  }

  stop(): void {
    this.#ended = true;
    this.#cancelTimer();
  }

  async #write(): Promise<unknown> {
    try {
      await this.#client.set(this.#key, '', 'PX', KEPT_MS);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #tell(missed: unknown): void {
    if (this.#ended) return;
    if (missed === undefined) this.#listener.beat();
    else this.#listener.missed(missed);
  }
}
