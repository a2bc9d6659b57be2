import { getOrMake } from '../../../get-or-make.ts';
import type { StoreConnection } from '../connection/connect.ts';
import type { StoreClient } from '../connection/store-client.ts';

/** Is told a message, or undefined when some may have been missed. */
type Listener = (message: string | undefined) => void;

/** What instances tell each other through the store. It is not kept: whoever was away has missed it. */
export class News {
  readonly #client: StoreClient;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(connection: StoreConnection) {
    this.#client = connection.openPatient();
    this.#client.on('message', (channel: string, message: string) => this.#tell(channel, message));
    this.#client.on('ready', () => {
      for (const channel of this.#listeners.keys()) void this.#subscribe(channel);
    });
  }

  /** Listens to a channel until the function it returns is called. `told` is called with undefined once it does. */
  listen(channel: string, told: Listener): () => void {
    const listeners = getOrMake(this.#listeners, channel, () => new Set<Listener>());
    listeners.add(told);
    void this.#subscribe(channel);
    return () => {
      listeners.delete(told);
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return;
      this.#listeners.delete(channel);
      this.#client.unsubscribe(channel).catch(() => {});
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#client.disconnect();
  }

  async #subscribe(channel: string): Promise<void> {
    try {
      await this.#client.subscribe(channel);
    } catch {
      // The connection is closed, or will be ready again, and then it is tried again.
      return;
    }
    this.#tell(channel, undefined);
  }

  #tell(channel: string, message: string | undefined): void {
    for (const told of this.#listeners.get(channel) ?? []) told(message);
  }
}
