/* Creates the tables of the store, and brings those of earlier versions up to date. */

import { FIRST_TABLES } from './tables.ts';
import { UnusableStore } from './trouble.ts';

/** A change of the tables. It only adds, so that instances of the version before go on beside those that made it. */
interface Migration {
  /** Counts from 1; a published migration never changes. */
  readonly number: number;
  /** Instances that do not know this migration cannot use the tables any more: absent as long as that can be. */
  readonly breaking?: true;
  readonly statements: readonly string[];
}

/** All migrations, in order. */
const MIGRATIONS: readonly Migration[] = [{ number: 1, statements: FIRST_TABLES }];

/** The tables that instances read and write. */
const TABLES =
  'svc_instance svc_queue svc_job svc_events svc_result svc_sender svc_turn svc_turn_start svc_bucket'.split(
    ' ',
  );

const OLDEST_VERSION = 130_000;

const NEWEST = MIGRATIONS.length;

/** Runs one statement and returns its rows. `ms`: how long it may take, if that is longer than others. */
type Query = <Row>(text: string, values?: readonly unknown[], ms?: number) => Promise<readonly Row[]>;

/**
 * Checks that the database can be used and brings its tables up to date. Rejects with an `UnusableStore` if somebody has to
 * change something first.
 */
export async function checkDatabase(query: Query): Promise<void> {
  await checkServer(query);
  const known = await appliedIn(query);
  if (known < NEWEST) await migrate(query);
  await checkGrants(query);
}

async function checkServer(query: Query): Promise<void> {
  const [server] = await query<{ version: number; name: string; encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
       current_setting('server_encoding') AS encoding`,
  );
  if (server === undefined || server.version < OLDEST_VERSION)
    throw new UnusableStore(`has PostgreSQL ${server?.name}: version 13 or later is needed`);
  if (server.encoding !== 'UTF8')
    throw new UnusableStore(`has the encoding ${server.encoding}: create the database with UTF8`);
}

/** The greatest number of the migrations that are applied, 0 without any. Rejects if there are newer ones that break this version. */
async function appliedIn(query: Query): Promise<number> {
  const [table] = await query<{ exists: boolean }>(
    `SELECT to_regclass('svc_migration') IS NOT NULL AS exists`,
  );
  if (table?.exists !== true) return 0;
  const [applied] = await query<{ newest: number; breaking: number }>(
    `SELECT coalesce(max(number), 0) AS newest, coalesce(max(number) FILTER (WHERE breaking), 0) AS breaking
     FROM svc_migration`,
  ).catch((error: unknown) => {
    throw isOf(error, '42703') ? FOREIGN : error;
  });
  const { newest = 0, breaking = 0 } = applied ?? {};
  if (breaking > NEWEST)
    throw new UnusableStore('has the tables of a newer version of the service: upgrade this instance');
  return newest;
}

const FOREIGN = new UnusableStore('has tables of another program whose names begin with svc_');

/** Any number that other users of the database are unlikely to lock: "svc" in ASCII. */
const MIGRATION_LOCK = 0x73_76_63;

/** To create tables and indexes takes longer than other statements, and so does it to wait for that. */
const MIGRATION_MS = 600_000;

/** Applies the missing migrations. Instances that start at the same time wait for each other. */
async function migrate(queryShortly: Query): Promise<void> {
  const query: Query = (text, values) => queryShortly(text, values, MIGRATION_MS);
  await query('BEGIN');
  try {
    // Before there is a table to lock: of two that create it at once one would fail.
    // Whoever has this lock may migrate for minutes; other locks are waited for no longer than elsewhere.
    await query('SET LOCAL lock_timeout = 0');
    await query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await query('SET LOCAL lock_timeout TO DEFAULT');
    await query(`CREATE TABLE IF NOT EXISTS svc_migration (
      number integer PRIMARY KEY,
      breaking boolean NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`);
    const known = await appliedIn(query);
    for (const { number, breaking = false, statements } of MIGRATIONS.slice(known)) {
      for (const statement of statements) await query(statement);
      await query('INSERT INTO svc_migration (number, breaking) VALUES ($1, $2)', [number, breaking]);
    }
    await query('COMMIT');
  } catch (error) {
    await query('ROLLBACK').catch(() => {});
    // 42P07: there is a table of that name already.
    throw isOf(error, '42P07') ? FOREIGN : error;
  }
}

/** The role may own the tables, or be granted what it needs by their owner. */
async function checkGrants(query: Query): Promise<void> {
  const lacking = await query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE NOT (has_table_privilege(name, 'SELECT') AND has_table_privilege(name, 'INSERT')
       AND has_table_privilege(name, 'UPDATE') AND has_table_privilege(name, 'DELETE'))`,
    [TABLES],
  );
  const [first] = lacking;
  if (first !== undefined)
    throw new UnusableStore(
      `does not let this role read and write the table ${first.name}: see svc-deploy(7)`,
    );
}

function isOf(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
