import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
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

/** Starts `svc serve` on a free port, with nothing of our own environment; killed when the test ends. */
export async function startServe(
  t: Pick<Test, 'teardown'>,
  args: readonly string[] = ['--demo'],
  env: NodeJS.ProcessEnv = {},
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

/** A way to a service that can be cut, and be led to another. */
export interface Gate {
  readonly url: string;
  /** Breaks every connection; new ones can be made. */
  readonly cut: () => void;
  /** From now on new connections go there: a service that is started again has another port, its own may be taken. */
  readonly lead: (place: Place) => void;
}

/** Opens a gate in front of a service, which passes on every octet. */
export async function openGate(t: Pick<Test, 'teardown'>, first: Place): Promise<Gate> {
  let behind = first;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(behind.port, behind.host);
    for (const socket of [near, far]) keep(socket);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(() => {
    server.close();
    cut();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it listens nowhere');
  const lead = (place: Place) => {
    behind = place;
  };
  return { url: `http://127.0.0.1:${address.port}`, cut, lead };
}
