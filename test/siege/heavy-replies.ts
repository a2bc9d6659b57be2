/**
 * Hole: replies as large as they can be, chains of delegations that double, thousands of aliases. Four
 * jobs at once, one of each kind and one more; meanwhile somebody asks for the service's health.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say, shown, size, spread } from '../bench/figures.ts';
import { spawnService } from '../bench/spawn-service.ts';
import {
  doublingChains,
  endlessAliases,
  type HostileServers,
  type Says,
  startHostileServers,
  tinyRecords,
} from './hostile-servers.ts';

const LIMIT_MS = 6_000;
const DEEP = `${Array.from({ length: 24 }, (_, at) => `l${at}`).join('.')}.test`;

const WORLDS: readonly (readonly [what: string, name: string, block: number, count: number, says: Says])[] = [
  ['chains that double', DEEP, 41, 60, doublingChains(41, 60)],
  ['2,500 aliases a reply', 'e0', 42, 4, endlessAliases(2_500)],
  ['tiny records', 'www.tiny', 43, 250, tinyRecords(43, 250)],
];

for (const [what, name, block, count, says] of WORLDS) {
  const servers = await startHostileServers(block, count, says);
  await siege(what, name, servers);
  await servers.close();
}
process.exit();

async function siege(what: string, name: string, servers: HostileServers): Promise<void> {
  const hints = join(tmpdir(), `siege-${process.pid}.hints`);
  writeFileSync(hints, servers.hints);
  const service = await spawnService([
    ...['--root-hints', hints, '--port', `${servers.port}`, '--allow-special-targets', '-4'],
    ...['--max-time', `${LIMIT_MS / 1_000}s`, '--rate', '0'],
  ]);
  process.on('exit', () => service.child.kill('SIGKILL'));
  const health: number[] = [];
  let over = false;
  const probe = async () => {
    while (!over) {
      const start = performance.now();
      await fetch(`${service.url}/api/health`).then((response) => response.text());
      health.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const probing = probe();
  const jobs = await Promise.all([1, 2, 3, 4].map((n) => run(service.url, n === 1 ? name : `x${n}.${name}`)));
  over = true;
  await probing;
  say(`${what}: health`, spread(health));
  say(
    `${what}: jobs`,
    jobs
      .map(
        ({ status, durationMs, elapsedMs }) =>
          `${status} asked ${shown(durationMs)} ended ${shown(elapsedMs)}`,
      )
      .join('; '),
  );
  const { rss } = memoryOf(service.child.pid ?? 0);
  say(`${what}: peak memory`, `${size(rss)} for ${size(servers.sent())} sent in ${servers.asked()} replies`);
  const start = performance.now();
  const ended = new Promise((resolve) => service.child.once('exit', resolve));
  service.child.removeAllListeners('exit');
  service.child.once('exit', () => say(`${what}: SIGTERM`, `ended in ${shown(performance.now() - start)}`));
  service.child.kill('SIGTERM');
  await Promise.race([ended, new Promise((resolve) => service.child.once('exit', resolve))]);
}

async function run(url: string, name: string) {
  const start = performance.now();
  const started = await fetch(`${url}/api/traverse`, { method: 'POST', body: JSON.stringify({ name }) });
  const { links } = JSON.parse(await started.text());
  for (;;) {
    const { status, result, durationMs } = await view(`${url}${links.self}`);
    if (status !== 'queued' && status !== 'running')
      return { status, durationMs: durationMs ?? result ?? 0, elapsedMs: performance.now() - start };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function view(url: string): Promise<{ status: string; durationMs?: number; result?: number }> {
  const text = await (await fetch(url)).text();
  const status = /"status":"(\w+)"/.exec(text)?.[1] ?? '?';
  const durationMs = /"durationMs":([\d.]+)/.exec(text)?.[1];
  return durationMs === undefined ? { status } : { status, durationMs: Number(durationMs) };
}

function memoryOf(pid: number): { readonly rss: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { rss: Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? '0') * 1_024 };
}
