/* The connection over which an instance shows the store that it lives, and hears what others notify. */

import type { Client } from 'pg';
import type { Clock } from '../../base/clock.ts';
import { getOrMake } from '../../base/memo.ts';
import { checkDatabase } from './migrations.ts';
import { StoreAway } from './trouble.ts';

/** What a heartbeat needs from outside. */
interface HeartbeatSurroundings {
  readonly instance: string;
  readonly clock: Clock;
  readonly newClient: () => Client;
}

/** Who is told how the connection is. */
interface HeartbeatListener {
  /** A statement is sent. */
  readonly sent: () => void;
  /** The store has taken the heartbeat. */
  readonly beat: () => void;
  /** It has not: it is away, or unusable. */
  readonly missed: (error: unknown) => void;
}

/** How often an instance says that it is there. */
const BEAT_MS = 500;

/** A heartbeat that takes longer says that the store is away. */
const LATE_MS = 3_000;

/** To create tables and indexes takes longer. */
const MIGRATION_MS = 600_000;

/** Milliseconds since 1970 by the store's clock. */
interface Beat {
  readonly at: number;
}

const BEAT = `
  INSERT INTO svc_instance (id) VALUES ($1)
  ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()
  RETURNING extract(epoch FROM seen_at)::float8 * 1000 AS at`;

/**
 * The connection that an instance always has to the store. Its heartbeats keep the instance's row fresh, show whether the
 * store can be written to, and read its clock; NOTIFY reaches the instance here. When it breaks another is opened.
 */
export class Heartbeat {
  readonly #around: HeartbeatSurroundings;
  readonly #listener: HeartbeatListener;
  readonly #ears = new Map<string, Set<(payload: string) => void>>();
  #client: Client | undefined;
  #clockAhead: number | undefined;
  #cancelTimer: () => void = () => {};
  #beating: Promise<unknown> = Promise.resolve();
  #sending: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(around: HeartbeatSurroundings, listener: HeartbeatListener) {
    this.#around = around;
    this.#listener = listener;
  }

  /** Sends the first heartbeat, and then one after the other. Returns the error of the first, if it failed. */
  async begin(): Promise<unknown> {
    const first = this.#beat();
    this.#beating = first;
    return await first;
  }

  listen(channel: string, hear: (payload: string) => void): () => void {
    const ears = getOrMake(this.#ears, channel, () => new Set<(payload: string) => void>());
    ears.add(hear);
    if (ears.size === 1 && this.#client !== undefined) void this.#attend(this.#client, [channel]);
    return () => {
      ears.delete(hear);
      if (ears.size > 0 || this.#ears.get(channel) !== ears) return;
      this.#ears.delete(channel);
      if (this.#client !== undefined) this.#send(this.#client, `UNLISTEN "${channel}"`).catch(() => {});
    };
  }

  deadlineIn(ms: number): number | undefined {
    return this.#clockAhead === undefined ? undefined : this.#clockAhead + this.#around.clock.now() + ms;
  }

  /** Takes the instance's row away, so that nobody waits for it. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer();
    await this.#beating;
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    await this.#send(client, 'DELETE FROM svc_instance WHERE id = $1', [this.#around.instance]).catch(
      () => {},
    );
    await client.end();
  }

  async #beat(): Promise<unknown> {
    const trouble = await this.#beatOnce().then(
      () => undefined,
      (error: unknown) => error ?? new StoreAway('no heartbeat'),
    );
    if (trouble === undefined) this.#listener.beat();
    else {
      this.#client?.connection.stream.destroy();
      this.#client = undefined;
      this.#listener.missed(trouble);
    }
    if (!this.#closed)
      this.#cancelTimer = this.#around.clock.after(BEAT_MS, () => {
        this.#beating = this.#beat();
      });
    return trouble;
  }

  async #beatOnce(): Promise<void> {
    const client = this.#client ?? (await this.#open());
    this.#client = client;
    const [row] = await this.#send<Beat>(client, BEAT, [this.#around.instance]);
    // Taken when the reply is there, so that the store's clock is not reckoned to be later than it is.
    if (row !== undefined) this.#clockAhead = row.at - this.#around.clock.now();
  }

  async #open(): Promise<Client> {
    const client = this.#around.newClient();
    // Whatever breaks the connection fails the next heartbeat.
    client.on('error', () => {});
    client.on('notification', ({ channel, payload = '' }) => this.#tell(channel, payload));
    await client.connect();
    try {
      await checkDatabase({
        query: async <Row>(text: string, values?: readonly unknown[]) =>
          await this.#send<Row>(client, text, values, MIGRATION_MS),
      });
      await this.#attend(client, [...this.#ears.keys()]);
      return client;
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
  }

  async #attend(client: Client, channels: readonly string[]): Promise<void> {
    for (const channel of channels) {
      // A connection that breaks now listens to all channels again once it is there.
      await this.#send(client, `LISTEN "${channel}"`).catch(() => {});
      this.#tell(channel, '');
    }
  }

  #tell(channel: string, payload: string): void {
    for (const hear of [...(this.#ears.get(channel) ?? [])]) hear(payload);
  }

  /** Sends one statement after the other. */
  #send<Row>(client: Client, text: string, values: readonly unknown[] = [], ms = LATE_MS) {
    const sent = this.#sending.then(() => this.#sendNow<Row>(client, text, values, ms));
    this.#sending = sent.catch(() => {});
    return sent;
  }

  async #sendNow<Row>(client: Client, text: string, values: readonly unknown[], ms: number) {
    this.#listener.sent();
    const cancelTimer = this.#around.clock.after(ms, () => client.connection.stream.destroy());
    try {
      return (await client.query<Row & Record<string, unknown>>(text, [...values])).rows;
    } finally {
      cancelTimer();
    }
  }
}
