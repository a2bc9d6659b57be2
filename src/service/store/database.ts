/* Connects an instance to the PostgreSQL database of its store: a heartbeat, and a few connections for statements. */

import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { type DatabaseAddress, readDatabaseUrl } from './database-url.ts';
import { Heartbeat } from './heartbeat.ts';
import { StoreAway, type StoreTrouble, storeTrouble } from './trouble.ts';

/** The result of connecting. Reasons are one line without credentials. */
type DatabaseConnected =
  | { readonly kind: 'connected'; readonly database: Database }
  /** The URL is wrong, or somebody has to change something at the store first. */
  | { readonly kind: 'invalid' | 'refused'; readonly reason: string };

/**
 * Connects to the database that a URL names. Refused is a database that somebody has to change first; one that is merely
 * away is connected to later.
 */
export async function connectToDatabase(url: string): Promise<DatabaseConnected> {
  const read = readDatabaseUrl(url);
  if (read.kind === 'invalid') return read;
  const database = new Database(read.address);
  const state = await database.begin();
  if (state.kind !== 'fault') return { kind: 'connected', database };
  await database.close();
  return { kind: 'refused', reason: state.reason };
}

/** Whether a store can be written to. */
export type StoreState = { readonly kind: 'ok' } | StoreTrouble;

/** The cost of a store so far. */
interface StoreTraffic {
  /** Statements sent. */
  readonly statements: number;
  readonly octetsSent: number;
  readonly octetsReceived: number;
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

/** The database that instances share. It comes back by itself after it was away; until then statements fail at once. */
export class Database {
  /** The UUID of this run of this instance: its row in `svc_instance`. */
  readonly instance: string = randomUUID();
  readonly #address: DatabaseAddress;
  readonly #pool: pg.Pool;
  readonly #heartbeat: Heartbeat;
  readonly #sockets = new Set<Socket>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #listeners = new Set<(state: StoreState) => void>();
  readonly #ears = new Map<string, (payload: string) => void>();
  #state: StoreState = { kind: 'away', why: 'unreachable', reason: 'not connected yet' };
  #statements = 0;
  #octetsSent = 0;
  #octetsReceived = 0;

  constructor(address: DatabaseAddress) {
    this.#address = address;
    const config = { ...configOf(address), stream: () => this.#newSocket() };
    this.#pool = new pg.Pool({ ...config, max: MOST_CONNECTIONS, idleTimeoutMillis: 30_000 });
    // A connection that breaks while nobody uses it: the next statement opens another.
    this.#pool.on('error', () => {});
    this.#heartbeat = new Heartbeat({
      instance: this.instance,
      newClient: () => new pg.Client(config),
      send: (client, text, values, ms) => this.#send(client, text, values, ms),
      beat: () => this.#set({ kind: 'ok' }),
      missed: (error) => this.#set(storeTrouble(error, this.#address)),
      notified: (channel, payload) => this.#ears.get(channel)?.(payload),
    });
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

  /** Connects for the first time. */
  async begin(): Promise<StoreState> {
    await this.#heartbeat.begin();
    return this.#state;
  }

  /** Runs one statement and returns its rows. Rejects with an error that `isStoreTrouble` knows when the store is away. */
  readonly query = <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> => {
    const done = this.#query<Row>(text, values);
    const end = () => this.#underWay.delete(done);
    this.#underWay.add(done);
    done.then(end, end);
    return done;
  };

  async #query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    for (let left = MOST_TRIES - 1; ; left -= 1) {
      try {
        return await this.#queryOnce<Row>(text, values);
      } catch (error) {
        if (left === 0 || !isConflict(error)) throw error;
      }
    }
  }

  /** Calls `hear` with the payload of each NOTIFY, and with '' when some may be lost: a hint, which replaces no polling. */
  onNotice(channel: string, hear: (payload: string) => void): void {
    this.#ears.set(channel, hear);
  }

  readonly onState = (hear: (state: StoreState) => void): void => {
    this.#listeners.add(hear);
  };

  /**
   * The moment of the store's clock, in milliseconds since 1970, that is not later than `ms` from now by this instance's:
   * a statement with that deadline never takes effect after it. `undefined`: the store's clock is not known.
   */
  deadlineIn(ms: number): number | undefined {
    return this.#heartbeat.deadlineIn(ms);
  }

  /** Waits for the statements under way, unless the store is away. */
  async close(): Promise<void> {
    this.#listeners.clear();
    if (this.#state.kind === 'ok') await Promise.allSettled(this.#underWay);
    await this.#heartbeat.close();
    this.#state = { kind: 'away', why: 'unreachable', reason: 'not connected any more' };
    for (const socket of this.#sockets) socket.destroySoon();
    await this.#pool.end();
  }

  async #queryOnce<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    if (this.#state.kind !== 'ok') throw new StoreAway(this.#state.reason);
    const client = await this.#pool.connect();
    // What breaks the connection also fails the statement.
    const ignore = () => {};
    client.on('error', ignore);
    try {
      const rows = await this.#send<Row>(client, text, values);
      client.release();
      return rows;
    } catch (error) {
      // After an error of the server that ended a statement the connection goes on.
      client.release(client.getTransactionStatus() !== 'I' || !(error instanceof pg.DatabaseError));
      throw error;
    } finally {
      client.off('error', ignore);
    }
  }

  async #send<Row>(
    client: pg.Client | pg.PoolClient,
    text: string,
    values: readonly unknown[] = [],
    ms = STATEMENT_MS,
  ) {
    this.#statements += 1;
    const timer = setTimeout(() => client.connection.stream.destroy(), ms);
    try {
      return (await client.query<Row & pg.QueryResultRow>(text, [...values])).rows;
    } finally {
      clearTimeout(timer);
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
