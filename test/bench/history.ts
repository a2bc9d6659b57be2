/** What a store of many ended jobs takes: its tables and indexes, the statements that read and forget it, and its vacuum. `[JOBS]`, by default 100,000. */

import { DEFAULT_SETTINGS } from '../../src/service/settings.ts';
import { connectToDatabase } from '../../src/service/store/database.ts';
import { Reading } from '../../src/service/store/jobs/reading.ts';
import { Unreadable } from '../../src/service/store/jobs/unreadable.ts';
import { Upkeep } from '../../src/service/store/jobs/upkeep.ts';
import { startServe } from '../service/spawned.ts';
import { type PostgresServer, startPostgres } from '../service/store/postgres-server.ts';
import { eachOf, say, shown, size } from './figures.ts';
import { spawnLab } from './lab/spawn-lab.ts';
import { runJob } from './run-job.ts';
import { WORLDS } from './worlds/worlds.ts';

/** Jobs that are run; the others are their copies. */
const RUN = 100;

const JOBS = Number(process.argv.slice(2).find((arg) => /^\d+$/.test(arg)) ?? 100_000);

/** Rows that updates and deletes leave behind, and how many of these updates touched no index. */
const CHANGES = `
  SELECT relname, n_tup_upd + n_tup_del, n_tup_hot_upd FROM pg_stat_user_tables
  WHERE relname IN ('svc_job', 'svc_events', 'svc_result') ORDER BY relname`;

/** Each table with the octets of its rows, and of its indexes. */
const SIZES = `
  SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
  WHERE relname IN ('svc_job', 'svc_events', 'svc_result') ORDER BY relname`;

/** Copies of what there is, over a month and many names. */
const COPY = (copies: number) => `
  CREATE TEMP TABLE copy AS SELECT id AS old, gen_random_uuid() AS new FROM svc_job, generate_series(1, ${copies});
  CREATE TEMP TABLE one AS SELECT job.*, new FROM svc_job AS job JOIN copy ON old = id;
  UPDATE one SET id = new, finished_at = now() - random() * interval '30 days',
    name = 'n' || floor(random() * 100000) || '.example.';
  ALTER TABLE one DROP COLUMN new;
  INSERT INTO svc_job SELECT * FROM one;
  INSERT INTO svc_events SELECT new, last, octets FROM svc_events JOIN copy ON old = job;
  INSERT INTO svc_result SELECT new, part, octets FROM svc_result JOIN copy ON old = job;`;

const ends: (() => Promise<void> | void)[] = [];
const around = { teardown: (end: () => Promise<void> | void) => void ends.unshift(end) };
const lab = await spawnLab('small', 0);
try {
  const server = await startPostgres(around);
  const url = await server.database();
  await runJobs(server, url);
  await server.tell(COPY(JOBS / RUN), url);
  await server.tell('VACUUM ANALYZE', url);
  await tellSizes(server, url);
  await tellStatements(server, url);
} finally {
  lab.close();
  for (const end of ends) await end();
}

async function runJobs({ tell }: PostgresServer, url: string): Promise<void> {
  const network = ['--root-hints', lab.hintsFile, '--port', `${lab.port}`, '-4', '--allow-special-targets'];
  const bounds = ['--rate', '0', '--rate-prefix', '0', '--rate-total', '0', '--max-jobs', '16', '--no-page'];
  const service = await startServe(around, [...network, ...bounds, '--store', url]);
  const wal = async () => Number(await tell(`SELECT pg_current_wal_lsn() - '0/0'`));
  const before = await wal();
  await eachOf(Array.from({ length: RUN }), 8, async () => {
    await runJob(service.url, { name: WORLDS.small.ask, type: 'A' });
  });
  const after = await wal();
  service.kill('SIGTERM');
  await service.exit;
  say('a job', `${size((after - before) / RUN)} of WAL`);
  for (const [table, changes, hot] of rowsIn(await tell(CHANGES, url)))
    say(`${table}, a job`, `${Number(changes) / RUN} changes of rows, ${Number(hot) / RUN} without indexes`);
}

async function tellSizes({ tell }: PostgresServer, url: string): Promise<void> {
  for (const [table, rows, indexes] of rowsIn(await tell(SIZES, url)))
    say(`${table}, of ${JOBS} jobs`, `${size(Number(rows))}, indexes ${size(Number(indexes))}`);
}

async function tellStatements({ tell }: PostgresServer, url: string): Promise<void> {
  const connected = await connectToDatabase(url);
  if (connected.kind !== 'connected') throw new Error(connected.reason);
  const { database } = connected;
  around.teardown(() => database.close());
  const reading = new Reading(database, new Unreadable(console.error));
  await timed('counts for health and metrics', () => reading.count());
  const all = Number(await tell('SELECT sum(octets) FROM svc_job', url));
  const forget = (maxHistoryBytes: number) =>
    new Upkeep(database, { historyMs: DEFAULT_SETTINGS.historyMs, maxHistoryBytes }).forget();
  await timed('to find that nothing is to be forgotten', () => forget(all));
  await timed('to forget every fifth job', () => forget(all * 0.8));
  await timed('to vacuum after that', () => tell('VACUUM', url));
  await timed('and to analyse', () => tell('ANALYZE', url));
}

async function timed(what: string, run: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await run();
  say(what, shown(performance.now() - start));
}

function rowsIn(text: string): readonly (readonly string[])[] {
  return text.split('\n').map((line) => line.split('|'));
}
