/**
 * How long health takes while eight jobs without pace run all the time, beside a bare server of Node's on the same
 * machine. Nobody follows the jobs: reading their events would be work of this process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { tell } from './figure.ts';
import { quantile, shown } from './figures.ts';
import { spawnLab } from './lab/spawn-lab.ts';
import { NOW } from './program.ts';
import { type ServiceProcess, spawnService } from './spawn-service.ts';
import { WORLDS } from './worlds/worlds.ts';

const JOBS = 8;
const WORLD = 'wide-8-8';
const LASTS_MS = 10_000;
const BETWEEN_MS = 20;

const bare = fork(fileURLToPath(new URL('bare-server.js', import.meta.url)));
const [bareUrl] = await once(bare, 'message');
const lab = await spawnLab(WORLD, 1);
const place = ['--root-hints', lab.hintsFile, '--port', `${lab.port}`, '-4', '--allow-special-targets'];
const pace = ['--rate', '0', '--rate-prefix', '0', '--rate-total', '0', '--max-packets', '1000000'];
const service = await spawnService([...place, ...pace, '--max-jobs', `${JOBS}`, '--max-retained', '8']);
try {
  await measure(service);
} finally {
  service.child.removeAllListeners('exit');
  service.child.kill('SIGKILL');
  bare.kill();
  lab.close();
}

async function measure({ url }: ServiceProcess): Promise<void> {
  const until = performance.now() + LASTS_MS;
  const took: number[] = [];
  const limit: number[] = [];
  let ran = 0;
  while (performance.now() < until) {
    ran += await fillUp(url);
    took.push(await timed(`${url}/api/health`));
    limit.push(await timed(bareUrl));
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
  const [p99, least] = [quantile(took, 0.99), quantile(limit, 0.99)];
  const most = `most ${shown(Math.max(...took))}`;
  tell(
    'service-health',
    NOW,
    p99,
    `${ran} jobs of ${WORLD}, ${most}; a bare server's p99 is ${shown(least)}`,
  );
}

/** Has as many jobs begin as there is room for, and says how many. */
async function fillUp(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const running = Number(/^traversal_jobs\{state="running"\} (\d+)$/m.exec(text)?.[1]);
  const body = JSON.stringify({ name: WORLDS[WORLD].ask });
  const begun = Array.from({ length: JOBS - running }, async () => {
    await (await fetch(`${url}/api/traverse`, { method: 'POST', body })).text();
  });
  await Promise.all(begun);
  return begun.length;
}

async function timed(url: string): Promise<number> {
  const start = performance.now();
  await (await fetch(url)).text();
  return performance.now() - start;
}
