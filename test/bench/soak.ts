/**
 * Half an hour (or as many minutes as the argument says) of mixed load on the demo, whose name servers have
 * every fault: clients of every kind, and abuse. Memory has to stay steady, and in the end no descriptor
 * and no timer may be left; otherwise it exits with 1.
 */
import { once } from 'node:events';
import { showcases } from '../../src/lab/showcases.ts';
import { start as startJob } from '../service/http-client.ts';
import { say, size } from './figures.ts';
import { type Holding, holdingOf } from './holding.ts';
import { ABUSES, CLIENTS, OPTIONS } from './soak-clients.ts';
import { spawnService } from './spawn-service.ts';

const AT_ONCE = 32;
const ABUSERS = 8;
const ROUNDS = 20;
const minutes = Number(process.argv[2] ?? 30);

// So few are retained that the first round fills them: from then on it may not grow.
const flags = ['--demo', '--max-jobs', '32', '--max-queue', '1000', '--max-retained', '100'];
const place = await spawnService(flags);
const { child } = place;
const failed = once(child, 'exit').then(([code]) =>
  Promise.reject(new Error(`svc serve ended with ${code}`)),
);
failed.catch(() => {});
const counts = { jobs: 0, abuses: 0 };
// All threads run by then.
await Promise.race([Promise.all(Array.from({ length: AT_ONCE }, () => useUntil(0))), failed]);
const fresh = await settled();
tell('warm', fresh);
const rounds: Holding[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const end = performance.now() + (minutes * 60_000) / ROUNDS;
  const clients = Array.from({ length: AT_ONCE }, () => useUntil(end));
  const abusers = Array.from({ length: ABUSERS }, () => abuseUntil(end));
  await Promise.race([Promise.all([...clients, ...abusers]), failed]);
  rounds.push(await idle());
  tell(`${counts.jobs} jobs, ${counts.abuses} abuses`, rounds.at(-1) ?? fresh);
}
child.removeAllListeners('exit');
child.kill();
judge();

/** The last quarter is compared with the one before it: by then everything is warm and full. */
function judge(): void {
  const last = rounds.at(-1) ?? fresh;
  const mean = (some: readonly Holding[], of: (holding: Holding) => number) =>
    some.reduce((sum, holding) => sum + of(holding), 0) / some.length;
  const quarter = ROUNDS / 4;
  const growth = (of: (holding: Holding) => number) =>
    mean(rounds.slice(-quarter), of) / mean(rounds.slice(-2 * quarter, -quarter), of);
  const held = growth(({ heap, external }) => heap + external);
  const resident = growth(({ rss }) => rss);
  say('the last quarter against the third', `held ${held.toFixed(3)}, resident ${resident.toFixed(3)}`);
  say(
    'left behind',
    `${last.descriptors - fresh.descriptors} descriptors, ${last.timers - fresh.timers} timers`,
  );
  if (held > 1.03 || resident > 1.1 || isBusier(last, fresh)) process.exitCode = 1;
}

/** One job after the other, and at least one. */
async function useUntil(end: number): Promise<void> {
  do {
    const number = counts.jobs;
    counts.jobs += 1;
    const { name, type } = showcases[number % showcases.length] ?? { name: '.', type: 'NS' };
    const options = OPTIONS[number % OPTIONS.length];
    const { status, text } = await startJob(place, { name, type, options });
    if (status !== 202) throw new Error(`${status} ${text}`);
    await CLIENTS[number % CLIENTS.length]?.(place, JSON.parse(text).links);
  } while (performance.now() < end);
}

async function abuseUntil(end: number): Promise<void> {
  while (performance.now() < end) {
    const number = counts.abuses;
    counts.abuses += 1;
    await ABUSES[number % ABUSES.length]?.(place);
  }
}

/** What the service holds once that has not changed for a while. */
async function settled(): Promise<Holding> {
  let now = await holdingOf(child);
  for (let calm = 0; calm < 50; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const next = await holdingOf(child);
    calm = next.descriptors === now.descriptors && next.timers === now.timers ? calm + 1 : 0;
    now = next;
  }
  return now;
}

/** What the service holds when nothing goes on in it any more, at the latest after two minutes. */
async function idle(): Promise<Holding> {
  let now = await holdingOf(child);
  for (let tries = 0; tries < 1_200 && isBusier(now, fresh); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    now = await holdingOf(child);
  }
  return now;
}

/** The clock of what is retained is a timer that a fresh service does not have yet. */
function isBusier(now: Holding, before: Holding): boolean {
  return now.descriptors > before.descriptors || now.timers > before.timers + 1;
}

function tell(when: string, { rss, heap, external, descriptors, timers }: Holding): void {
  const memory = `heap ${size(heap)}, outside it ${size(external)}, resident ${size(rss)}`;
  say(when, `${memory}; ${descriptors} descriptors, ${timers} timers`);
}
