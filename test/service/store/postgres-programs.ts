import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** Where Debian has a folder for each version of PostgreSQL. */
const VERSIONS = '/usr/lib/postgresql';

const isRoot = process.getuid?.() === 0;

/** PostgreSQL refuses to run as root, and must not outlive the tests. */
const PRIVILEGES = [
  ...(isRoot ? ['--reuid=postgres', '--regid=postgres', '--init-groups'] : []),
  '--pdeathsig=QUIT',
];

/** Runs a program of PostgreSQL, or of the system, as the user of the server. Returns what it prints. */
export async function runAsServer(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(...commandOf(program, args), { cwd: '/', env: ENVIRONMENT });
  return stdout;
}

/** The same, while everything else waits: for the exit of a process. */
export function runAsServerNow(program: string, args: readonly string[]): void {
  execFileSync(...commandOf(program, args), { cwd: '/', env: ENVIRONMENT, stdio: 'ignore' });
}

/** Makes a temporary folder for the user of the server. */
export async function makeServerFolder(): Promise<string> {
  const template = join(tmpdir(), 'svc-postgres-XXXXXXXX');
  return (await runAsServer('mktemp', ['-d', template])).trim();
}

/** A running server. */
export interface Postmaster {
  /** SIGTERM waits for clients, SIGINT ends them, SIGQUIT does not even write a checkpoint, SIGKILL is an accident. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Sends a signal, and resolves when the server and all its processes are gone. */
  readonly end: (name: NodeJS.Signals) => Promise<void>;
  /** From now on this process may end without it. */
  readonly unref: () => void;
}

/** Starts a server; rejects with its last words if it ends instead. */
export async function startPostmaster(args: readonly string[]): Promise<Postmaster> {
  const child = spawn(...commandOf('postgres', args), {
    cwd: '/',
    env: ENVIRONMENT,
    // Every process of the server holds it open: it closes with the last of them.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await ready(child, child.stderr);
  return {
    signal: (name) => child.kill(name),
    end: async (name) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(name);
      await once(child, 'close');
    },
    unref: () => {
      child.unref();
      if ('unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref();
    },
  };
}

/** More than a server says before it ends. */
const LINES_KEPT = 20;

function ready(child: ChildProcess, output: NodeJS.ReadableStream): Promise<void> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    createInterface({ input: output }).on('line', (line) => {
      lines.push(line);
      if (lines.length > LINES_KEPT) lines.shift();
      if (/database system is ready to accept (read-only )?connections/.test(line)) resolve();
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${lines.join('\n')}`)));
  });
}

const ENVIRONMENT = { PATH: `${newestPrograms()}:${process.env.PATH}`, LC_ALL: 'C' };

function newestPrograms(): string {
  const versions = readdirSync(VERSIONS).map(Number);
  return join(VERSIONS, `${Math.max(...versions)}`, 'bin');
}

function commandOf(program: string, args: readonly string[]): [string, string[]] {
  return ['setpriv', [...PRIVILEGES, '--', program, ...args]];
}
