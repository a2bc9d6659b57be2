/**
 * Ten thousand jobs on the demo (or as many as the argument says), by clients of every kind: those that
 * follow to the end, that leave in the middle, that cancel, that never look. Memory has to stay steady,
 * and in the end no socket and no timer may be left; otherwise it exits with 1.
 */
import { once } from 'node:events';
import { showcases } from '../../src/lab/demo/showcases.ts';
import { ask, start as startJob } from '../service/http-client.ts';
import { followEvents } from './event-reader.ts';
import { eachOf, say, size } from './figures.ts';
import { type Holding, holdingOf } from './holding.ts';
import { spawnService } from './spawn-service.ts';

const CLIENTS = 64;
const ROUNDS = 20;
const jobs = Number(process.argv[2] ?? 10_000);

/** What clients do with a job that they started. */
const KINDS: readonly ((self: string, events: string) => Promise<unknown>)[] = [
  (_self, events) => followEvents(events, () => {}),
  async (self, events) => {
    await followEvents(events, () => {});
    await ask(place, 'GET', self);
  },
  (_self, events) => followEvents(events, ({ event }, stop) => (event === 'exchange' ? stop() : undefined)),
  async (self, events) => {
    await followEvents(events, ({ event }, stop) => (event === 'exchange' ? stop() : undefined));
    await ask(place, 'DELETE', self);
  },
  (self) => ask(place, 'DELETE', self),
  async () => undefined,
  (_self, events) => Promise.all([1, 2, 3].map(() => followEvents(events, () => {}))),
];

// A round fills what is retained: from then on it may not grow.
const retained = `${Math.ceil(jobs / ROUNDS)}`;
const flags = ['--demo', '--max-jobs', '64', '--max-queue', '10000', '--max-retained', retained];
const place = await spawnService(flags);
const { child } = place;
const failed = once(child, 'exit').then(([code]) =>
  Promise.reject(new Error(`svc serve ended with ${code}`)),
);
failed.catch(() => {});
const fresh = await holdingOf(child);
tell('fresh', fresh);
const rounds: Holding[] = [];
const start = performance.now();
for (let round = 1; round <= ROUNDS; round += 1) {
  await Promise.race([soak(jobs / ROUNDS), failed]);
  rounds.push(await idle());
  tell(`${(round * jobs) / ROUNDS} jobs`, rounds.at(-1) ?? fresh);
}
const seconds = (performance.now() - start) / 1_000;
say('in all', `${jobs} jobs in ${seconds.toFixed(0)} s, ${(jobs / seconds).toFixed(1)} a second`);
child.removeAllListeners('exit');
child.kill();
judge();

/** The last quarter is compared with the one before it: by then everything is warm and full. */
function judge(): void {
  const last = rounds.at(-1) ?? fresh;
  const held = (some: readonly Holding[]) =>
    some.reduce((sum, { heap, external }) => sum + heap + external, 0) / some.length;
  const quarter = ROUNDS / 4;
  const [before, after] = [held(rounds.slice(-2 * quarter, -quarter)), held(rounds.slice(-quarter))];
  const growth = after / before;
  const each = ((after - before) / jobs) * 4;
  say(
    'memory held',
    `in the last quarter ${growth.toFixed(3)} times that of the third (${each.toFixed(0)} octets a job)`,
  );
  say('left behind', `${last.sockets - fresh.sockets} sockets, ${last.timers - fresh.timers} timers`);
  if (growth > 1.03 || busier(last, fresh)) process.exitCode = 1;
}

/** Runs a number of jobs. */
async function soak(count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  await eachOf(numbers, CLIENTS, async (number) => {
    const { name, type } = showcases[number % showcases.length] ?? { name: '.', type: 'NS' };
    const { status, text } = await startJob(place, { name, type });
    if (status !== 202) throw new Error(`${status} ${text}`);
    const { self, events } = JSON.parse(text).links;
    await KINDS[number % KINDS.length]?.(self, `${place.url}${events}`);
  });
}

/** What the service holds when nothing goes on in it any more, at the latest after a minute. */
async function idle(): Promise<Holding> {
  let now = await holdingOf(child);
  for (let tries = 0; tries < 600 && busier(now, fresh); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    now = await holdingOf(child);
  }
  return now;
}

/** The clock of what is retained is a timer that a fresh service does not have yet. */
function busier(now: Holding, before: Holding): boolean {
  return now.sockets > before.sockets || now.timers > before.timers + 1;
}

function tell(when: string, { rss, heap, external, sockets, timers }: Holding): void {
  const memory = `heap ${size(heap)}, outside it ${size(external)}, resident ${size(rss)}`;
  say(when, `${memory}; ${sockets} sockets, ${timers} timers`);
}
