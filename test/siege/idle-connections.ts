/**
 * Hole: connections that say nothing, or hardly anything, keep everybody else out. Ten thousand of them,
 * replaced as they are closed; meanwhile somebody comes for the service's health from another process, each
 * time anew, and is served within a second. That wants a calm machine.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { quantile, shown } from '../bench/figures.ts';
import { type ServiceProcess, spawnService } from '../bench/spawn-service.ts';
import { judge } from './measured.ts';

const CROWD = 10_000;
const DURATION_MS = 20_000;
/** Whoever was sent away comes back after this. */
const BACK_AFTER_MS = 10_000;
/** A client that has heard nothing by then has given up. */
const PATIENCE_MS = 5_000;
/** A new client is served by then. */
const SERVED_MS = 1_000;

const POST = 'POST /api/traverse HTTP/1.1\r\nHost: localhost\r\n';

/** What the crowd does: says something first, and more every second. */
const WAYS: readonly (readonly [what: string, first: string, drop: string])[] = [
  ['silent', '', ''],
  ['heads that drip', POST, 'X'],
  ['bodies that drip', `${POST}Content-Length: 16000\r\n\r\n`, ' '],
  ['kept after a reply', 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n', ''],
  ['that take no reply', 'GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n', ''],
];

const HOUSES: readonly (readonly [what: string, flags: readonly string[]])[] = [
  ['room for 1,000', []],
  ['room for all', ['--max-connections', '15000']],
];

const [probed] = process.argv.slice(2);
if (probed !== undefined) await probe(probed);
else {
  for (const [house, flags] of HOUSES) {
    for (const [what, first, drop] of WAYS) {
      const service = await spawnService(['--demo', ...flags]);
      service.child.removeAllListeners('exit');
      await siege(`${what}, ${house}`, service, first, drop);
      service.child.kill('SIGKILL');
    }
  }
}
process.exit();

async function siege(what: string, service: ServiceProcess, first: string, drop: string): Promise<void> {
  const crowd = new Set<Socket>();
  const end = performance.now() + DURATION_MS;
  const over = () => performance.now() > end;
  const join = () => {
    if (over()) return;
    const socket = connect(service.port, service.host);
    crowd.add(socket);
    if (what.startsWith('that take no reply')) socket.pause();
    else socket.resume();
    const gone = () => setTimeout(join, BACK_AFTER_MS);
    socket.on('error', () => socket.destroy()).once('close', () => crowd.delete(socket) && gone());
    socket.write(first);
  };
  for (let count = 0; count < CROWD; count += 1) {
    join();
    if (count % 100 === 99) await pause(10);
  }
  const dripping = setInterval(() => {
    if (drop !== '') for (const socket of crowd) socket.write(drop);
  }, 1_000);
  const prober = fork(fileURLToPath(import.meta.url), [service.url]);
  const [figures]: Probed[] = await once(prober, 'message');
  if (figures === undefined) throw new Error('the prober says nothing');
  prober.disconnect();
  clearInterval(dripping);
  for (const socket of crowd) socket.destroy();
  judge(`${CROWD} connections, ${what}: health`, figures.text, figures.kept);
}

/** How a new client fared. */
interface Probed {
  readonly text: string;
  readonly kept: boolean;
}

/** Tries over and over, and tells the parent how it fared. */
async function probe(url: string): Promise<void> {
  const waits: number[] = [];
  const end = performance.now() + DURATION_MS / 2;
  let tries = 0;
  while (performance.now() < end) {
    tries += 1;
    const start = performance.now();
    if (await isServed(url)) waits.push(performance.now() - start);
    await pause(50);
  }
  const share = ((waits.length / tries) * 100).toFixed(0);
  const [half, most] = [quantile(waits, 0.5), quantile(waits, 1)];
  process.send?.({
    text: `${share} % of ${tries} tries served, p50 ${shown(half)}, most ${shown(most)}`,
    kept: waits.length === tries && tries > 0 && most <= SERVED_MS,
  } satisfies Probed);
  await once(process, 'disconnect');
}

async function isServed(url: string): Promise<boolean> {
  // Node 20 can lose the timer of AbortSignal.timeout.
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), PATIENCE_MS);
  try {
    const headers = { Connection: 'close' };
    const response = await fetch(`${url}/api/health`, { headers, signal: giveUp.signal });
    await response.text();
    return response.status === 200;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
