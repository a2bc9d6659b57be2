import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import type { Place } from './http-client.ts';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));

/** An entry of a service's log. */
export type Entry = Readonly<Record<string, unknown>>;

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A service in a process of its own. */
export interface Spawned extends Place {
  readonly url: string;
  /** Every line it wrote to standard error so far. */
  readonly lines: readonly string[];
  readonly entries: () => readonly Entry[];
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly exit: Promise<Exit>;
  readonly pid: number;
}

/** Starts `svc serve` on a free port, with nothing of our own environment; killed when the test ends. `hear` gets each line of its log. */
export async function startServe(
  t: Pick<Test, 'teardown'>,
  args: readonly string[] = ['--demo'],
  env: NodeJS.ProcessEnv = {},
  hear: (line: string) => void = () => {},
): Promise<Spawned> {
  const child = spawnSvc(['serve', '--listen', '127.0.0.1:0', ...args], env);
  const exit = exitOf(child);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const lines: string[] = [];
  const entries = () => lines.map((line): Entry => JSON.parse(line));
  const place = await new Promise<URL>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      hear(line);
      const url = /"message":"listening","url":"([^"]+)"/.exec(line)?.[1];
      if (url !== undefined) resolve(new URL(url));
    });
    exit.then(({ code }) => reject(new Error(`it ended with ${code}: ${lines.join('\n')}`)), reject);
  });
  const { pid = 0 } = child;
  const [host, port] = [place.hostname.replace(/^\[(.*)\]$/, '$1'), Number(place.port)];
  return { url: place.origin, host, port, lines, entries, kill: (signal) => child.kill(signal), exit, pid };
}

function spawnSvc(args: readonly string[], env: NodeJS.ProcessEnv) {
  return spawn(process.execPath, [SVC, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
}
