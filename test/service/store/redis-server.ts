import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { connectToStore, type StoreConnection } from '../../../src/service/store/connection/connect.ts';
import { readStoreUrl, type StoreAddress } from '../../../src/service/store/connection/store-url.ts';

/** A redis-server in a process of its own, on loopback, with data in a temporary folder. */
export interface RedisServer {
  /** With the password, if there is one. */
  readonly url: string;
  readonly address: StoreAddress;
  readonly port: number;
  /** The certificate to believe, in PEM, if it speaks TLS. */
  readonly ca: string | undefined;
  /** Has it carry out a command, as its operator would, and has what it replied. For servers without password and TLS. */
  readonly tell: (...command: readonly string[]) => string;
  /** Sends a signal: SIGSTOP and SIGCONT make it hang and go on. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Ends it properly. */
  readonly stop: () => Promise<void>;
  /** Ends it at once. */
  readonly kill: () => Promise<void>;
  /** Starts it again after it has ended, on the same port and data, with these settings besides. */
  readonly start: (settings?: readonly string[]) => Promise<void>;
}

interface RedisOptions {
  readonly password?: string;
  readonly transport?: 'plain' | 'tls';
  /** Kept: every write is on disk before it is answered. Forgetful: nothing outlives the process. */
  readonly data?: 'kept' | 'forgetful';
  /** Further arguments, such as `--maxmemory 2mb`, a word each. */
  readonly settings?: readonly string[];
}

/** Starts a redis-server, which is gone with all its data when the test ends. */
export async function startRedis(
  t: Pick<Test, 'teardown'>,
  options: RedisOptions = {},
): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'));
  const { password, transport = 'plain' } = options;
  if (transport === 'tls') makeCertificate(folder);
  const secret = password === undefined ? [] : ['--requirepass', password];
  const settings = [...dataOf(options), ...(options.settings ?? []), ...secret];
  const { port, args, child } = await launchedSomewhere((port) => [
    ...placeOf(folder, port, transport),
    ...settings,
  ]);
  let running = child;
  const end = async (name: NodeJS.Signals) => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    running.kill(name);
    await once(running, 'close');
  };
  t.teardown(async () => {
    await end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const url = urlOf(port, options);
  return {
    url,
    address: addressIn(url),
    port,
    ca: transport === 'tls' ? readFileSync(join(folder, 'cert.pem'), 'utf8') : undefined,
    signal: (name) => running.kill(name),
    tell: (...command) => execFileSync('redis-cli', ['-p', `${port}`, ...command], { encoding: 'utf8' }),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    start: async (settings = []) => {
      running = await launched([...args, ...settings]);
    },
  };
}

function addressIn(url: string): StoreAddress {
  const read = readStoreUrl(url);
  if (read.kind === 'invalid') throw new Error(read.reason);
  return read.address;
}

function urlOf(port: number, { password, transport }: RedisOptions): string {
  const credentials = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
  return `redis${transport === 'tls' ? 's' : ''}://${credentials}127.0.0.1:${port}`;
}

function placeOf(folder: string, port: number, transport: 'plain' | 'tls'): readonly string[] {
  const common = ['--bind', '127.0.0.1', '--dir', folder];
  if (transport === 'plain') return [...common, '--port', `${port}`];
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const files = ['--tls-key-file', key, '--tls-cert-file', cert, '--tls-auth-clients', 'no'];
  return [...common, '--port', '0', '--tls-port', `${port}`, ...files];
}

function dataOf({ data = 'kept' }: RedisOptions): readonly string[] {
  const appended =
    data === 'kept' ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  return ['--save', '', ...appended];
}

/** How often a port that was free may be somebody's when the server comes to take it. */
const MOST_TRIES = 10;

async function launchedSomewhere(argsAt: (port: number) => readonly string[]) {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const args = argsAt(port);
    try {
      return { port, args, child: await launched(args) };
    } catch (error) {
      if (tries === MOST_TRIES || !`${error}`.includes('Address already in use')) throw error;
    }
  }
}

async function launched(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.includes('Ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`redis-server ended with ${code}:\n${lines.join('\n')}`)));
  });
  return child;
}

function makeCertificate(folder: string): void {
  const names = ['-subj', '/CN=store.test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...names, ...files], { stdio: 'ignore' });
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
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A connection to a server that works, closed when the test ends. */
export async function connected(
  t: Pick<Test, 'teardown'>,
  { address, ca }: Pick<RedisServer, 'address' | 'ca'>,
): Promise<StoreConnection> {
  const made = await connectToStore(address, ca === undefined ? {} : { ca });
  if (made.kind === 'refused') throw new Error(made.reason);
  t.teardown(() => made.connection.close());
  return made.connection;
}
