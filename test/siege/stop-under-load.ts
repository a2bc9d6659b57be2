/**
 * Hole: under load nobody hears SIGTERM. Clients that never stop asking, connections without end, and jobs
 * that would go on: how long until nothing new is taken, and how long after the grace until the end.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { say, shown } from '../bench/figures.ts';
import { spawnService } from '../bench/spawn-service.ts';

const CLIENTS = 100;
const GRACE_MS = 3_000;
const WARM_UP_MS = 3_000;

const flags = ['--demo', '--timeout', '20s', '--max-jobs', '64', '--max-jobs-per-client', '64'];
const { url, host, port, child } = await spawnService([...flags, '--grace', `${GRACE_MS}ms`]);
child.removeAllListeners('exit');
let over = false;
let lastTaken = 0;
let asked = 0;
for (let client = 0; client < CLIENTS; client += 1) void keepAsking();
for (let client = 0; client < CLIENTS; client += 1) keepConnecting();
await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
const before = asked;
const start = performance.now();
const exit = once(child, 'exit');
child.kill('SIGTERM');
const watchdog = setTimeout(() => child.kill('SIGKILL'), GRACE_MS + 30_000);
const [code, signal] = await exit;
clearTimeout(watchdog);
over = true;
say('load', `${((before / WARM_UP_MS) * 1_000).toFixed(0)} requests a second from ${CLIENTS} clients`);
say('the last job taken', `${shown(Math.max(0, lastTaken - start))} after SIGTERM`);
say('the end', `${shown(performance.now() - start - GRACE_MS)} after the grace, ${signal ?? code}`);
process.exit();

/** Every tenth request is for a job. */
async function keepAsking(): Promise<void> {
  while (!over) {
    asked += 1;
    const job = asked % 10 === 0;
    const sent = job ? { method: 'POST', body: '{"name":"www.dead.example"}' } : {};
    try {
      const response = await fetch(`${url}${job ? '/api/traverse' : '/api/health'}`, sent);
      await response.text();
      if (response.status === 202) lastTaken = performance.now();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

function keepConnecting(): void {
  if (over) return;
  const socket = connect(port, host);
  socket.on('connect', () => setTimeout(() => socket.destroy(), 100));
  socket.on('error', () => {}).on('close', () => setTimeout(keepConnecting, 10));
}
