/**
 * Hole: replies as large as they can be, chains of delegations that double, thousands of aliases, thousands
 * of names for an address. Four jobs at once, while somebody asks for the service's health; then a SIGTERM;
 * then the command line, with a limit and with a Ctrl-C.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say, shown, size, spread } from '../bench/figures.ts';
import { type ServiceProcess, spawnService } from '../bench/spawn-service.ts';
import { HEAVY_WORLDS } from './heavy-worlds.ts';
import { startHostileThread } from './hostile-thread.ts';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));
const SERVICE_LIMIT_MS = 6_000;
const LIMIT_MS = 3_000;
const CTRL_C_AFTER_MS = 1_500;
const folder = mkdtempSync(join(tmpdir(), 'siege-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

for (const [at, { what, name }] of HEAVY_WORLDS.entries()) {
  const servers = await startHostileThread(at);
  const { port, hints } = servers.news();
  const file = join(folder, `hints-${at}`);
  writeFileSync(file, hints);
  const where = ['--root-hints', file, '--port', `${port}`, '--allow-special-targets', '-4'];
  await besiegeService(what, name, where);
  const { asked, sent } = servers.news();
  say(`${what}: heard`, `${size(sent)} in ${asked} replies`);
  await commandLine(what, name, where);
  await servers.close();
}
process.exit();

async function besiegeService(what: string, name: string, where: readonly string[]): Promise<void> {
  const limit = `${SERVICE_LIMIT_MS / 1_000}s`;
  const service = await spawnService([...where, '--max-time', limit, '--rate', '0']);
  const kill = () => service.child.kill('SIGKILL');
  process.once('exit', kill);
  const health = watchHealth(service);
  const jobs = await Promise.all([1, 2, 3, 4].map((n) => run(service.url, n === 1 ? name : `x${n}.${name}`)));
  say(`${what}: health`, spread(await health.stop()));
  for (const { status, askedMs, endedMs } of jobs) {
    say(`${what}: a job`, `${status}, asked for ${shown(askedMs)}, ended after ${shown(endedMs)}`);
  }
  say(`${what}: most memory`, size(mostMemory(service.child.pid ?? 0)));
  say(`${what}: SIGTERM`, `ended after ${shown(await stopped(service))}`);
  process.off('exit', kill);
}

function watchHealth({ url }: ServiceProcess) {
  const tookMs: number[] = [];
  let state: 'watching' | 'over' = 'watching';
  const isOver = () => state === 'over';
  const watch = async () => {
    while (!isOver()) {
      const start = performance.now();
      await fetch(`${url}/api/health`).then((response) => response.text());
      tookMs.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return tookMs;
  };
  const watching = watch();
  return {
    stop: () => {
      state = 'over';
      return watching;
    },
  };
}

async function run(url: string, name: string) {
  const start = performance.now();
  const started = await fetch(`${url}/api/traverse`, { method: 'POST', body: JSON.stringify({ name }) });
  const { links } = JSON.parse(await started.text());
  for (;;) {
    const { status, askedMs } = await view(`${url}${links.self}`);
    if (status !== 'queued' && status !== 'running') {
      return { status, askedMs, endedMs: performance.now() - start };
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Results are large: what is wanted of them stands near their beginning. */
async function view(url: string): Promise<{ readonly status: string; readonly askedMs: number }> {
  const text = await (await fetch(url)).text();
  const status = /"status":"(\w+)"/.exec(text)?.[1] ?? 'unknown';
  return { status, askedMs: Number(/"durationMs":([\d.]+)/.exec(text)?.[1] ?? Number.NaN) };
}

function mostMemory(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? '0') * 1_024;
}

async function stopped({ child }: ServiceProcess): Promise<number> {
  const start = performance.now();
  const ended = new Promise((resolve) => child.removeAllListeners('exit').once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  return performance.now() - start;
}

async function commandLine(what: string, name: string, where: readonly string[]): Promise<void> {
  const limited = await traverse(name, [...where, '--max-time', `${LIMIT_MS / 1_000}s`]);
  say(`${what}: --max-time ${LIMIT_MS / 1_000}s`, `status ${limited.status} after ${shown(limited.tookMs)}`);
  const { status, tookMs } = await traverse(name, where, CTRL_C_AFTER_MS);
  say(`${what}: Ctrl-C`, `status ${status}, ${shown(Math.max(0, tookMs - CTRL_C_AFTER_MS))} later`);
}

function traverse(name: string, flags: readonly string[], interruptAfterMs?: number) {
  const start = performance.now();
  const args = [SVC, 'traverse', name, '--rate', '0', ...flags];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const timer =
    interruptAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGINT'), interruptAfterMs);
  return new Promise<{ readonly status: number | string; readonly tookMs: number }>((resolve) => {
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      resolve({ status: code ?? signal ?? 'unknown', tookMs: performance.now() - start });
    });
  });
}
