/**
 * Hole: replies as large as they can be, chains of delegations that double, thousands of aliases, thousands
 * of names for an address. Four jobs at once, while somebody asks for the service's health; then a SIGTERM;
 * then the command line, with a limit and with a Ctrl-C. The bounds want a calm machine.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile, say, shown, size, spread } from '../bench/figures.ts';
import { type ServiceProcess, spawnService } from '../bench/spawn-service.ts';
import { HEAVY_WORLDS } from './heavy-worlds.ts';
import { startHostileThread } from './hostile-thread.ts';
import { judge, judgeTime, memoryOf, runMeasured } from './measured.ts';

const SERVICE_LIMIT_MS = 6_000;
const LIMIT_MS = 3_000;
const CTRL_C_AFTER_MS = 1_500;
/** What is promised with four such jobs. */
const HEALTH_P99_MS = 100;
/** Asking ends so long after its limit at most. */
const LATE_MS = 1_000;
/** An evaluation may hold its thread for so long, and those of its neighbours as well, in turns. */
const EVALUATION_MS = 5_000;
const JOBS = [1, 2, 3, 4];
/** Jobs that one thread evaluates, where each of the processors but one has one. */
const NEIGHBOURS = Math.ceil(JOBS.length / Math.max(1, availableParallelism() - 1));
/** A Ctrl-C is obeyed by then, and a SIGTERM where there is no grace. */
const OBEYED_MS = 2_000;
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
  const service = await spawnService([...where, '--max-time', limit, '--rate', '0', '--grace', '0s']);
  const kill = () => service.child.kill('SIGKILL');
  process.once('exit', kill);
  const health = watchHealth(service);
  const jobs = await Promise.all(JOBS.map((n) => run(service.url, n === 1 ? name : `x${n}.${name}`)));
  const tookMs = await health.stop();
  judge(`${what}: health`, spread(tookMs), quantile(tookMs, 0.99) < HEALTH_P99_MS);
  for (const { status, askedMs, endedMs } of jobs) {
    judge(
      `${what}: a job`,
      `${status}, asked for ${shown(askedMs)}, ended after ${shown(endedMs)}`,
      status === 'complete' &&
        askedMs <= SERVICE_LIMIT_MS + LATE_MS &&
        endedMs <= SERVICE_LIMIT_MS + NEIGHBOURS * EVALUATION_MS + 2 * LATE_MS,
    );
  }
  say(`${what}: most memory`, size(memoryOf(service.child.pid ?? 0).peak));
  judgeTime(`${what}: SIGTERM, ended after`, await stopped(service), OBEYED_MS);
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

async function stopped({ child }: ServiceProcess): Promise<number> {
  const start = performance.now();
  const ended = new Promise((resolve) => child.removeAllListeners('exit').once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  return performance.now() - start;
}

async function commandLine(what: string, name: string, where: readonly string[]): Promise<void> {
  const args = ['traverse', name, '--rate', '0', ...where];
  const limit = `${LIMIT_MS / 1_000}s`;
  const limited = await runMeasured([...args, '--max-time', limit], { stdout: 'ignore' });
  judgeTime(
    `${what}: --max-time ${limit}, status ${limited.status} after`,
    limited.tookMs,
    LIMIT_MS + LATE_MS + EVALUATION_MS,
  );
  const cut = await runMeasured(args, { stdout: 'ignore', interruptAfterMs: CTRL_C_AFTER_MS });
  const how = cut.signal ?? `status ${cut.status}`;
  judgeTime(`${what}: Ctrl-C, ${how} after`, Math.max(0, cut.tookMs - CTRL_C_AFTER_MS), OBEYED_MS);
}
