/* The connection over which an instance shows the store that it lives, and hears what others notify. */

import type { Client } from 'pg';
import { systemClock } from '../../base/clock.ts';
import { checkDatabase } from './migrations.ts';
import { Loop } from './repeating.ts';

/** What a heartbeat needs from outside. */
interface HeartbeatSurroundings {
  readonly instance: string;
  readonly newClient: () => Client;
  /** Sends a statement, and closes the connection if its reply takes longer than `ms`. */
  readonly send: <Row>(
    client: Client,
    text: string,
    values?: readonly unknown[],
    ms?: number,
  ) => Promise<readonly Row[]>;
  /** The store has taken the heartbeat. */
  readonly beat: () => void;
  /** It has not: it is away, or unusable. */
  readonly missed: (error: unknown) => void;
  /** Another instance notifies; with '' something may have been lost. */
  readonly notified: (channel: string, payload: string) => void;
}

/** How often an instance says that it is there. */
const BEAT_MS = 500;

/** A heartbeat that takes longer says that the store is away. */
const LATE_MS = 3_000;

const CHANNELS = ['svc_work', 'svc_job'] as const;

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
  readonly #beating: Loop;
  #client: Client | undefined;
  /** It is connected, and may wait for another instance to make the tables. */
  #opening: Client | undefined;
  #clockAhead: number | undefined;

  constructor(around: HeartbeatSurroundings) {
    this.#around = around;
    const failed = (error: unknown) => this.#miss(error);
    this.#beating = new Loop(() => this.#beat(), { everyMs: () => BEAT_MS, clock: systemClock, failed });
  }

  /** Sends the first heartbeat, and then one after the other. Resolves when the first has come or failed. */
  async begin(): Promise<void> {
    this.#beating.wake();
    await this.#beating.idle;
  }

  deadlineIn(ms: number): number | undefined {
    return this.#clockAhead === undefined ? undefined : this.#clockAhead + systemClock.now() + ms;
  }

  /** Takes the instance's row away, so that nobody waits for it. */
  async close(): Promise<void> {
    const stopped = this.#beating.stop();
    this.#opening?.connection.stream.destroy();
    await stopped;
    if (this.#client === undefined) return;
    const { send, instance } = this.#around;
    await send(this.#client, 'DELETE FROM svc_instance WHERE id = $1', [instance], LATE_MS).catch(() => {});
    await this.#client.end();
  }

  async #beat(): Promise<void> {
    const { send, instance, beat, notified } = this.#around;
    const isNew = this.#client === undefined;
    this.#client ??= await this.#open();
    const [row] = await send<Beat>(this.#client, BEAT, [instance], LATE_MS);
    // Taken when the reply is there, so that the store's clock is not reckoned to be later than it is.
    if (row !== undefined) this.#clockAhead = row.at - systemClock.now();
    beat();
    if (isNew) for (const channel of CHANNELS) notified(channel, '');
  }

  #miss(error: unknown): void {
    this.#client?.connection.stream.destroy();
    this.#client = undefined;
    this.#around.missed(error);
  }

  async #open(): Promise<Client> {
    const { newClient, send, notified } = this.#around;
    const client = newClient();
    // Whatever breaks the connection fails the next heartbeat.
    client.on('error', () => {});
    client.on('notification', ({ channel, payload = '' }) => notified(channel, payload));
    await client.connect();
    this.#opening = client;
    try {
      await checkDatabase((text, values, ms) => send(client, text, values, ms));
      for (const channel of CHANNELS) await send(client, `LISTEN ${channel}`);
      return client;
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    } finally {
      this.#opening = undefined;
    }
  }
}
