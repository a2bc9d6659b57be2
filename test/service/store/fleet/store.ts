import type { Test } from 'tap';
import { type PostgresServer, type Replica, startPostgres, urlWith } from '../postgres-server.ts';

/** The store of a fleet: a server, and a replica without which it commits nothing. */
export interface FleetStore {
  /** The server that can be written to. */
  readonly primary: () => PostgresServer;
  /** The URL of the database, at this port. */
  readonly urlAt: (port: number) => string;
  /** Kills the server, and makes one of its replica, which gets a replica of its own. */
  readonly failOver: () => Promise<void>;
}

/** Starts a store, gone when the test ends. */
export async function startFleetStore(t: Pick<Test, 'teardown'>): Promise<FleetStore> {
  let primary = await startPostgres(t, { settings: [`max_connections=${MOST_CONNECTIONS}`] });
  const url = await primary.database();
  let replica = await addReplica(t, primary);
  return {
    primary: () => primary,
    urlAt: (port) => urlWith(url, { port: `${port}` }),
    failOver: async () => {
      await primary.kill();
      // Otherwise it would wait for a replica of its own.
      await replica.tell('ALTER SYSTEM RESET synchronous_standby_names');
      await replica.tell('SELECT pg_reload_conf()');
      await replica.promote();
      primary = replica;
      replica = await addReplica(t, primary);
    },
  };
}

/** Enough for four instances, and a replica. */
const MOST_CONNECTIONS = 45;

async function addReplica(t: Pick<Test, 'teardown'>, primary: PostgresServer): Promise<Replica> {
  const replica = await primary.replica(t, [`max_connections=${MOST_CONNECTIONS}`]);
  await primary.tell("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.tell('SELECT pg_reload_conf()');
  return replica;
}
