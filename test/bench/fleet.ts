/** What a store costs: jobs a second with none, one, two and four instances, and what a job takes of each; and how soon a job goes on elsewhere. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from '../service/http-client.ts';
import { type Spawned, startServe } from '../service/spawned.ts';
import { startPostgres } from '../service/store/postgres-server.ts';
import { followEvents } from './event-reader.ts';
import { tell } from './figure.ts';
import { eachOf, quantile, say, shown, size, spread } from './figures.ts';
import { spawnLab } from './lab/spawn-lab.ts';
import { NOW } from './program.ts';
import { runJob } from './run-job.ts';
import { storeInfo } from './store-info.ts';
import { WORLDS } from './worlds/worlds.ts';

const CLIENTS = 24;
const JOBS = 200;
const WARM_UP = 60;

/** How often an instance is killed. */
const KILLS = 1;

const BOUNDS = ['--max-jobs', '16', '--max-queue', '10000', '--no-page'];
const IMPOLITE = ['--rate', '0', '--rate-prefix', '0', '--rate-total', '0'];

/** Octets of ended jobs, as they are sent. */
const jobOctets: number[] = [];

const ends: (() => Promise<void> | void)[] = [];
const around = { teardown: (end: () => Promise<void> | void) => void ends.unshift(end) };

const lab = await spawnLab('small', 0);
const SMALL = ['--root-hints', lab.hintsFile, '--port', `${lab.port}`, '-4', '--allow-special-targets'];
try {
  const alone = await measured('no store', 1);
  const [shared] = [
    await measured('a store, 1 instance', 1, 'store'),
    await measured('a store, 2 instances', 2, 'store'),
    await measured('a store, 4 instances', 4, 'store'),
  ];
  tell('store-cpu', NOW, shared / alone, `${shown(shared)} of ${shown(alone)}`);
  await measureAgain();
} finally {
  lab.close();
  for (const end of ends) await end();
}

/** Measures so many instances, and gives the milliseconds of processor time that a job takes of them. */
async function measured(what: string, count: number, store?: 'store'): Promise<number> {
  const server = store === undefined ? undefined : await startPostgres(around);
  const used = server && { server, url: await server.database() };
  const more = used === undefined ? [] : ['--store', used.url];
  const flags = [...SMALL, ...BOUNDS, ...IMPOLITE, ...more];
  const all = await Promise.all(Array.from({ length: count }, () => startServe(around, flags)));
  await runJobs(all, WARM_UP);
  const before = await costOf(all);
  const stored = used && (await storeInfo(used.server, used.url));
  const start = performance.now();
  const durations = await runJobs(all, JOBS);
  const seconds = (performance.now() - start) / 1_000;
  const after = await costOf(all);
  const cpu = (after.cpuMs - before.cpuMs) / JOBS;
  say(what, `${(JOBS / seconds).toFixed(1)} jobs a second, ${shown(cpu)} CPU each, ${spread(durations)}`);
  if (used !== undefined && stored !== undefined) {
    const now = await storeInfo(used.server, used.url);
    const octets = `${size((after.received - before.received) / JOBS)} in, ${size((after.sent - before.sent) / JOBS)} out`;
    const statements = ((after.statements - before.statements) / JOBS).toFixed(1);
    say(
      'of the store, a job',
      `${statements} statements, ${octets}, ${shown((now.cpuMs - stored.cpuMs) / JOBS)} CPU`,
    );
    if (count === 1) tellSize((now.octets - stored.octets) / JOBS);
  }
  for (const one of all) await end(one);
  await server?.stop();
  return cpu;
}

function tellSize(octets: number): void {
  const json = jobOctets.reduce((sum, octets) => sum + octets, 0) / jobOctets.length;
  tell('store-memory', NOW, octets / json, `${size(octets)} with indexes for ${size(json)} of JSON`);
}

async function runJobs(all: readonly Spawned[], count: number): Promise<readonly number[]> {
  const durations: number[] = [];
  const numbers = Array.from({ length: count }, (_, number) => number);
  await eachOf(numbers, CLIENTS, async (number) => {
    const url = all[number % all.length]?.url ?? '';
    const { tookMs, self } = await runJob(url, { name: WORLDS.small.ask, type: 'A' });
    durations.push(tookMs);
    if (number < CLIENTS) jobOctets.push((await (await fetch(self)).arrayBuffer()).byteLength);
  });
  return durations;
}

/** The processor time of instances, and what they have asked of their store. */
async function costOf(all: readonly { readonly url: string }[]) {
  const texts = await Promise.all(all.map(async ({ url }) => await (await fetch(`${url}/metrics`)).text()));
  const sum = (metric: string) =>
    texts
      .map((text) => Number(new RegExp(`^${metric} (.*)$`, 'm').exec(text)?.[1] ?? 0))
      .reduce((total, one) => total + one, 0);
  return {
    cpuMs: sum('process_cpu_seconds_total') * 1_000,
    statements: sum('traversal_store_statements_total'),
    sent: sum('traversal_store_bytes_total\\{direction="received"\\}'),
    received: sum('traversal_store_bytes_total\\{direction="sent"\\}'),
  };
}

/** How long after the end of the instance that runs a job the other one runs it. */
async function measureAgain(): Promise<void> {
  const server = await startPostgres(around);
  const url = await server.database();
  // Its name server is silent, so it lasts until it is given up.
  const flags = ['--demo', '--timeout', '30s', '--retries', '0', ...BOUNDS, '--store', url];
  const took: number[] = [];
  let all = await Promise.all([startServe(around, flags), startServe(around, flags)]);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const [one, other] = all;
    const response = await fetch(`${one.url}/api/traverse`, {
      method: 'POST',
      body: '{"name": "www.dead.example"}',
    });
    const { id }: { id: string } = JSON.parse(await response.text());
    const [holder, heir] = await holderOf(id, one, other);
    await sleep(500);
    holder.kill('SIGKILL');
    const start = performance.now();
    await startedAgain(heir, id);
    took.push(performance.now() - start);
    await fetch(`${heir.url}/api/traverse/${id}`, { method: 'DELETE' });
    await holder.exit;
    all = [await startServe(around, flags), heir];
  }
  for (const one of all) await end(one);
  tell('store-again', NOW, quantile(took, 1), spread(took));
}

async function holderOf(id: string, one: Spawned, other: Spawned): Promise<readonly [Spawned, Spawned]> {
  const runs = ({ lines }: Spawned) =>
    lines.some((line) => line.includes('job started') && line.includes(id));
  for (;;) {
    if (runs(one)) return [one, other];
    if (runs(other)) return [other, one];
    await sleep(10);
  }
}

async function startedAgain({ url }: Spawned, id: string): Promise<void> {
  const again = new Promise<void>((resolve) => {
    void followEvents(`${url}/api/traverse/${id}/events`, ({ event, data }) => {
      if (event === 'started' && /"attempt":2/.test(data)) resolve();
    });
  });
  await again;
}

async function end({ kill, exit }: Pick<Spawned, 'kill' | 'exit'> & Place): Promise<void> {
  kill('SIGTERM');
  await exit;
}
