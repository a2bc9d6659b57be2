/**
 * Hole: under load nobody hears SIGTERM. Clients that never stop asking, connections without end, and jobs
 * that would go on: how long until nothing new is taken, and how long after the grace until the end. Both bounds want
 * a calm machine.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { say } from '../bench/figures.ts';
import { spawnService } from '../bench/spawn-service.ts';
import { judge, judgeTime } from './measured.ts';

const CLIENTS = 100;
const GRACE_MS = 3_000;
const WARM_UP_MS = 3_000;
/** Nothing new is taken from then on, and that long after the grace it has ended. */
const MOST_MS = 2_000;

const flags = ['--demo', '--timeout', '20s', '--max-jobs', '64', '--max-jobs-per-client', '64'];
const { url, host, port, child } = await spawnService([...flags, '--grace', `${GRACE_MS}ms`]);
child.removeAllListeners('exit');
let over = false;
let lastTaken = 0;
let taken = 0;
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
judge('jobs taken before', `${taken}`, taken > 0);
judgeTime('the last job taken, after SIGTERM', Math.max(0, lastTaken - start), MOST_MS);
judgeTime('the end, after the grace', performance.now() - start - GRACE_MS, MOST_MS);
judge('how it ended', `${signal ?? code}`, code === 0);
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
      if (response.status !== 202) continue;
      taken += 1;
      lastTaken = performance.now();
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
