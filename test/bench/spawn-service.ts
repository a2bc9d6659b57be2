import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));
const HOLDING = new URL('./tell-holding.js', import.meta.url);

/** The built program, serving. */
export interface ServiceProcess {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  readonly child: ChildProcess;
}

/** What the service has to make do with. */
export interface ServiceLimits {
  /** Files, sockets among them, that it may have open at once. */
  readonly openFiles?: number;
}

/** Starts `svc serve` on a free port. It tells what it holds when it is sent a message (`tell-holding.js`). */
export function spawnService(
  flags: readonly string[],
  { openFiles }: ServiceLimits = {},
): Promise<ServiceProcess> {
  const node = [process.execPath, '--expose-gc', '--import', HOLDING.href];
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles} && `;
  const command = [...node, SVC, 'serve', '--listen', '127.0.0.1:0', ...flags];
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, ...command], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const { stderr } = child;
  if (stderr === null) throw new Error('no standard error');
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`svc serve ended with ${code}`)));
    createInterface({ input: stderr }).on('line', (line) => {
      const { message, level, url } = JSON.parse(line);
      if (level !== 'info') process.stderr.write(`${line}\n`);
      if (message !== 'listening') return;
      const { origin, hostname: host, port } = new URL(url);
      resolve({ host, port: Number(port), url: origin, child });
    });
  });
}
