/* Connects an instance to the PostgreSQL database of its store: a heartbeat, and a few connections for statements. */

import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Database, StoreState, StoreTraffic } from './database.ts';
import { type DatabaseAddress, readDatabaseUrl } from './database-url.ts';
import { Heartbeat } from './heartbeat.ts';
import { StoreAway, storeTrouble } from './trouble.ts';

/** Settings that have defaults. */
interface DatabaseOptions {
  readonly clock?: Clock;
}

/** The result of connecting. Reasons are one line without credentials. */
type DatabaseConnected =
  | { readonly kind: 'connected'; readonly database: Database }
  | { readonly kind: 'invalid' | 'refused'; readonly reason: string };

/**
 * Connects to the database that a URL names. Refused is a database that somebody has to change first; one that is merely
 * away is connected to later.
 */
export async function connectToDatabase(
  url: string,
  options: DatabaseOptions = {},
): Promise<DatabaseConnected> {
  const read = readDatabaseUrl(url);
  if (read.kind === 'invalid') return read;
  const database = new PostgresDatabase(read.address, options);
  const trouble = await database.begin();
  if (trouble?.kind !== 'fault') return { kind: 'connected', database };
  await database.close();
  return { kind: 'refused', reason: trouble.reason };
}

/** The longest that a statement waits for its reply. Then its connection is closed, because the reply may still come. */
const STATEMENT_MS = 4_000;

/**
 * Connections of one instance beside that of its heartbeat: four keep two processor cores of a server busy, and a hundred instances fit
 * into a few hundred connections.
 */
const MOST_CONNECTIONS = 4;

/** How often a statement that conflicts with others is tried. */
const MOST_TRIES = 5;

class PostgresDatabase implements Database {
  readonly instance = randomUUID();
  readonly #address: DatabaseAddress;
  readonly #pool: pg.Pool;
  readonly #heartbeat: Heartbeat;
  readonly #sockets = new Set<Socket>();
  readonly #listeners = new Set<(state: StoreState) => void>();
  #state: StoreState = { kind: 'degraded', why: 'unreachable', reason: 'not connected yet' };
  #statements = 0;
  #octetsSent = 0;
  #octetsReceived = 0;

  constructor(address: DatabaseAddress, { clock = systemClock }: DatabaseOptions) {
    this.#address = address;
    const config = { ...configOf(address), stream: () => this.#newSocket() };
    this.#pool = new pg.Pool({ ...config, max: MOST_CONNECTIONS, idleTimeoutMillis: 30_000 });
    // A connection that breaks while nobody uses it: the next statement opens another.
    this.#pool.on('error', () => {});
    this.#heartbeat = new Heartbeat(
      { instance: this.instance, clock, newClient: () => new pg.Client(config) },
      {
        sent: () => this.#count(),
        beat: () => this.#set({ kind: 'ok' }),
        missed: (error) => this.#lost(error),
      },
    );
  }

  get state(): StoreState {
    return this.#state;
  }

  get traffic(): StoreTraffic {
    const open = [...this.#sockets];
    return {
      statements: this.#statements,
      octetsSent: open.reduce((sum, { bytesWritten }) => sum + bytesWritten, this.#octetsSent),
      octetsReceived: open.reduce((sum, { bytesRead }) => sum + bytesRead, this.#octetsReceived),
    };
  }

  /** Connects for the first time. Returns what is wrong, if something is. */
  async begin() {
    const error = await this.#heartbeat.begin();
    return error === undefined ? undefined : storeTrouble(error, this.#address);
  }

  readonly query = async <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> => {
    for (let left = MOST_TRIES - 1; ; left -= 1) {
      try {
        return await this.#queryOnce<Row>(text, values);
      } catch (error) {
        if (left === 0 || !isConflict(error)) throw error;
      }
    }
  };

  readonly onNotice = (channel: string, hear: (payload: string) => void): (() => void) =>
    this.#heartbeat.listen(channel, hear);

  readonly onState = (hear: (state: StoreState) => void): void => {
    this.#listeners.add(hear);
  };

  readonly deadlineIn = (ms: number): number | undefined => this.#heartbeat.deadlineIn(ms);

  readonly close = async (): Promise<void> => {
    this.#listeners.clear();
    await this.#heartbeat.close();
    for (const socket of this.#sockets) socket.destroySoon();
    await this.#pool.end();
  };

  async #queryOnce<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    if (this.#state.kind === 'degraded') throw new StoreAway(this.#state.reason);
    const client = await this.#pool.connect();
    // What breaks the connection also fails the statement.
    const ignore = () => {};
    client.on('error', ignore);
    this.#count();
    const timer = setTimeout(() => client.connection.stream.destroy(), STATEMENT_MS);
    try {
      const { rows } = await client.query<Row & pg.QueryResultRow>(text, [...values]);
      client.release();
      return rows;
    } catch (error) {
      // After an error of the server that ended a statement the connection goes on.
      client.release(client.getTransactionStatus() !== 'I' || !(error instanceof pg.DatabaseError));
      throw error;
    } finally {
      clearTimeout(timer);
      client.off('error', ignore);
    }
  }

  #newSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#octetsSent += socket.bytesWritten;
      this.#octetsReceived += socket.bytesRead;
    });
    return socket;
  }

  #count(): void {
    this.#statements += 1;
  }

  #lost(error: unknown): void {
    const { why, reason } = storeTrouble(error, this.#address);
    this.#set({ kind: 'degraded', why, reason });
  }

  #set(state: StoreState): void {
    const before = this.#state;
    this.#state = state;
    if (state.kind === 'ok' && before.kind === 'ok') return;
    for (const hear of this.#listeners) hear(state);
  }
}

/**
 * The settings of all connections. There is no `statement_timeout`: it would also end the wait of a COMMIT for a synchronous
 * replica, and the COMMIT would then report a success that a failover undoes (PostgreSQL manual, 27.2.8).
 */
function configOf({ ssl, ...address }: DatabaseAddress): pg.ClientConfig {
  return {
    ...address,
    ssl,
    application_name: 'svc',
    connectionTimeoutMillis: STATEMENT_MS,
    keepAlive: true,
    lock_timeout: STATEMENT_MS,
    // The locks of an instance that is cut off amid a transaction are free again after this time.
    idle_in_transaction_session_timeout: STATEMENT_MS,
    types: { getTypeParser: parserOf },
  };
}

const { INT8 } = pg.types.builtins;

/** Counts and octets fit into a double. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return Number;
  return format === 'binary' ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid);
}

function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}
