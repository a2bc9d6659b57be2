import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import {
  makeServerFolder,
  type Postmaster,
  runAsServer,
  runAsServerNow,
  startPostmaster,
} from './postgres-programs.ts';

/** A PostgreSQL server of its own, on loopback, with data in a temporary folder. */
export interface PostgresServer {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** Makes an empty database that the role `svc` owns, which may do nothing else, and returns its URL. */
  readonly database: (settings?: string) => Promise<string>;
  /** Has a superuser carry out statements in the database of a URL, or in `postgres`. Returns rows as lines of values with `|` between them. */
  readonly tell: (statements: string, url?: string) => Promise<string>;
  /** Sends a signal to its first process. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Ends it properly, though clients are connected. */
  readonly stop: () => Promise<void>;
  /** Ends its first process by SIGKILL; resolves when all are gone. What was committed is kept. */
  readonly kill: () => Promise<void>;
  /** Starts it again after it has ended, on the same port and data, with these settings (`name=value`) besides. */
  readonly start: (settings?: readonly string[]) => Promise<void>;
  /** Starts a hot standby that follows it, read-only until it is promoted. */
  readonly replica: (t: Owner, settings?: readonly string[]) => Promise<Replica>;
}

/** A server that repeats what another commits. */
export interface Replica extends PostgresServer {
  /** Makes it a server of its own; resolves when it can be written to. */
  readonly promote: () => Promise<void>;
}

/** How a server is to be reached; absent: without password and TLS. */
interface PostgresOptions {
  /** The password of `svc` (SCRAM-SHA-256). */
  readonly password?: string;
  /** With TLS, URLs name the certificate to believe, and nobody gets in without. */
  readonly transport?: 'plain' | 'tls';
  /** Further settings, such as `max_connections=5`. */
  readonly settings?: readonly string[];
}

type Owner = Pick<Test, 'teardown'>;

/** The URL of a database with another role, password, port or name: of a replica, of a proxy, or a wrong one. */
export function urlWith(
  url: string,
  parts: Partial<Pick<URL, 'username' | 'password' | 'port' | 'pathname' | 'search'>>,
): string {
  return Object.assign(new URL(url), parts).href;
}

/** Starts a server, which is gone with all its data when the test ends. */
export async function startPostgres(t: Owner, options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = await makeServerFolder();
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  await initialise(folder, options);
  const { server, end } = await launched(folder, options);
  t.teardown(() => end('SIGQUIT'));
  const { password } = options;
  const secret = password === undefined ? '' : ` PASSWORD '${password.replaceAll("'", "''")}'`;
  await server.tell(`CREATE ROLE svc LOGIN${secret}`);
  return server;
}

let shared: Promise<PostgresServer> | undefined;

/** The server of all tests of this process that need nothing but a database; gone when the process ends. */
export function sharedPostgres(): Promise<Pick<PostgresServer, 'host' | 'port' | 'database' | 'tell'>> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<PostgresServer> {
  const folder = await makeServerFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await initialise(folder, {});
  const { server, unref } = await launched(folder, {});
  process.prependOnceListener('exit', () =>
    runAsServerNow('pg_ctl', ['stop', '-D', dataIn(folder), '-m', 'immediate']),
  );
  await server.tell('CREATE ROLE svc LOGIN');
  unref();
  return server;
}

const HOST = '127.0.0.1';

/** What makes it fast: the system keeps what was written when the server's processes are killed. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'shared_buffers=32MB',
  'max_connections=200',
  'wal_keep_size=64MB',
];

function dataIn(folder: string): string {
  return join(folder, 'data');
}

async function initialise(folder: string, options: PostgresOptions): Promise<void> {
  const data = dataIn(folder);
  newData ??= makeData();
  // Owners stay as they are.
  await promisify(execFile)('cp', ['-a', await newData, data]);
  const { password, transport = 'plain' } = options;
  const [host, method] = [
    transport === 'tls' ? 'hostssl' : 'host',
    password === undefined ? 'trust' : 'scram-sha-256',
  ];
  const lines = [
    'local all all trust',
    'local replication all trust',
    `${host} all all ${HOST}/32 ${method}`,
    `host replication all ${HOST}/32 trust`,
  ];
  writeFileSync(join(data, 'pg_hba.conf'), `${lines.join('\n')}\n`);
  if (transport === 'tls') await makeCertificate(data);
}

/** Where the files of one run keep what others need, too; the runner makes it. */
const RECORDED = process.env.TEST_RECORDED;

let newData: Promise<string> | undefined;

/** The data of a server that nobody has started: a run makes them once, and copies them for each server. */
async function makeData(): Promise<string> {
  const kept = RECORDED === undefined ? undefined : join(RECORDED, 'postgres');
  if (kept !== undefined && existsSync(kept)) return kept;
  const folder = await makeServerFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const data = dataIn(folder);
  const kind = ['--encoding=UTF8', '--locale=C.UTF-8', '--wal-segsize=1', '--auth=trust'];
  await runAsServer('initdb', ['-D', data, '-U', 'postgres', '--no-sync', ...kind]);
  if (kept === undefined) return data;
  try {
    renameSync(data, kept);
    return kept;
  } catch {
    // Another file was faster.
    return data;
  }
}

async function makeCertificate(data: string): Promise<void> {
  const names = ['-subj', '/CN=store.test', '-addext', `subjectAltName=IP:${HOST}`];
  const files = ['-keyout', join(data, 'server.key'), '-out', join(data, 'server.crt')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await runAsServer('openssl', ['req', ...kind, ...names, ...files]);
  appendFileSync(join(data, 'postgresql.conf'), 'ssl = on\n');
}

/** How often a port that was free may be somebody's when the server comes to take it. */
const MOST_TRIES = 10;

/** Starts what is in the folder, at a port that is free. */
async function launched(folder: string, options: PostgresOptions) {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const args = ['-D', dataIn(folder), '-h', HOST, '-p', `${port}`, '-k', folder];
    const all = [...args, ...[...SETTINGS, ...(options.settings ?? [])].flatMap((one) => ['-c', one])];
    try {
      return serverOf(folder, options, { port, args: all, postmaster: await startPostmaster(all) });
    } catch (error) {
      if (tries === MOST_TRIES || !`${error}`.includes('Address already in use')) throw error;
    }
  }
}

interface Launched {
  readonly port: number;
  readonly args: readonly string[];
  readonly postmaster: Postmaster;
}

function serverOf(folder: string, options: PostgresOptions, { port, args, postmaster }: Launched) {
  let running = postmaster;
  const tell: PostgresServer['tell'] = async (statements, url) => {
    const database = url === undefined ? 'postgres' : new URL(url).pathname.slice(1);
    const place = ['-h', folder, '-p', `${port}`, '-U', 'postgres', '-d', database];
    const manner = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'];
    return (await runAsServer('psql', [...place, ...manner, '-c', statements])).trim();
  };
  const server: PostgresServer = {
    host: HOST,
    port,
    database: async (settings = '') => {
      const name = `svc_${randomBytes(6).toString('hex')}`;
      await tell(`CREATE DATABASE ${name} OWNER svc ${settings}`);
      return urlOf(folder, port, name, options);
    },
    tell,
    signal: (name) => running.signal(name),
    stop: () => running.end('SIGINT'),
    kill: () => running.end('SIGKILL'),
    start: async (settings = []) => {
      running = await startPostmaster([...args, ...settings.flatMap((one) => ['-c', one])]);
    },
    replica: (t, settings = []) => startReplica(t, { folder, port, options, settings }),
  };
  return { server, end: (name: NodeJS.Signals) => running.end(name), unref: () => running.unref() };
}

function urlOf(folder: string, port: number, name: string, { password, transport }: PostgresOptions): string {
  const user = password === undefined ? 'svc' : `svc:${encodeURIComponent(password)}`;
  const certificate = encodeURIComponent(join(dataIn(folder), 'server.crt'));
  const search = transport === 'tls' ? `?sslmode=verify-full&sslrootcert=${certificate}` : '';
  return `postgres://${user}@${HOST}:${port}/${name}${search}`;
}

interface Followed {
  readonly folder: string;
  readonly port: number;
  readonly options: PostgresOptions;
  readonly settings: readonly string[];
}

async function startReplica(t: Owner, followed: Followed): Promise<Replica> {
  const folder = await makeServerFolder();
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const from = ['-h', followed.folder, '-p', `${followed.port}`, '-U', 'postgres'];
  const manner = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  await runAsServer('pg_basebackup', [...from, '-D', dataIn(folder), ...manner]);
  const options = { ...followed.options, settings: followed.settings };
  const { server, end } = await launched(folder, options);
  t.teardown(() => end('SIGQUIT'));
  return { ...server, promote: async () => void (await server.tell('SELECT pg_promote()')) };
}

/** Below the ports that the system hands out itself, so that nobody takes it while the server is down. */
const LOWEST = 20_000;
const COUNT = 12_000;

async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}
