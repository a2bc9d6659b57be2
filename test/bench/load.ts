/** The service on the demo under load: many clients, each starting a job and following it to its end. */
import { showcases } from '../../src/lab/showcases.ts';
import { tell } from './figure.ts';
import { eachOf, quantile, say, shown, size, spread } from './figures.ts';
import { type Holding, holdingOf } from './holding.ts';
import { NOW } from './program.ts';
import { runJob } from './run-job.ts';
import { spawnService } from './spawn-service.ts';

const CLIENTS = 100;
const JOBS = 400;
const WARM_UP = 100;
/** Where jobs that have ended are. */
const ended: string[] = [];

const flags = ['--demo', '--max-jobs', '64', '--max-queue', '10000', '--max-retained', '100000'];
const { url, child } = await spawnService(flags);
try {
  await measure();
} finally {
  child.kill('SIGTERM');
}

async function measure(): Promise<void> {
  await runJobs(WARM_UP);
  const before = await metrics();
  const holding = await holdingOf(child);
  const health: number[] = [];
  const probing = setInterval(async () => health.push(await timed(() => fetch(`${url}/api/health`))), 25);
  const start = performance.now();
  const durations = await runJobs(JOBS);
  const seconds = (performance.now() - start) / 1_000;
  clearInterval(probing);
  const after = await metrics();
  const jobs = after.retained - before.retained;
  const cpu = ((after.cpuSeconds - before.cpuSeconds) * 1_000) / jobs;
  say(
    'load',
    `${JOBS} jobs, ${CLIENTS} clients: ${(JOBS / seconds).toFixed(1)} jobs a second, ${shown(cpu)} CPU each`,
  );
  say('from POST to the end', spread(durations));
  say('health meanwhile', spread(health));
  const counted = (after.retainedBytes - before.retainedBytes) / jobs;
  const held = ({ heap, external }: Holding) => heap + external;
  const grown = (held(await holdingOf(child)) - held(holding)) / jobs;
  const json = await jsonOfOne();
  const sizes = `${size(grown)} by the heap's count, ${size(counted)} by the service's`;
  tell('service-memory', NOW, grown / json, `${sizes}, for ${size(json)} of JSON`);
  say('shortest job', shown(quantile(durations, 0)));
}

/** Runs a number of jobs, each with a reader of its events, and gives what each took in milliseconds. */
async function runJobs(count: number): Promise<readonly number[]> {
  const durations: number[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index);
  await eachOf(numbers, CLIENTS, async (number) => {
    const { name, type } = showcases[number % showcases.length] ?? { name: '.', type: 'NS' };
    const { tookMs, self } = await runJob(url, { name, type });
    durations.push(tookMs);
    ended.push(self);
  });
  return durations;
}

/** Octets of a kept job as it is sent, on average over all that the demo shows. */
async function jsonOfOne(): Promise<number> {
  const some = ended.slice(-showcases.length);
  const jobs = await Promise.all(some.map(async (self) => await (await fetch(self)).arrayBuffer()));
  return jobs.reduce((sum, { byteLength }) => sum + byteLength, 0) / jobs.length;
}

async function timed(work: () => Promise<Response>): Promise<number> {
  const start = performance.now();
  const response = await work();
  await response.text();
  return performance.now() - start;
}

async function metrics() {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  return {
    retained: value('traversal_jobs{state="retained"}'),
    retainedBytes: value('traversal_retained_bytes'),
    cpuSeconds: value('process_cpu_seconds_total'),
  };
}
