import t from 'tap';
import { startReceiver } from '../../http/webhook-receivers.ts';
import { start } from '../../http-client.ts';
import { startRedis } from '../redis-server.ts';
import {
  atOnce,
  followAround,
  type Life,
  readSomewhere,
  soon,
  startFleet,
  submitSomewhere,
  tried,
} from './instances.ts';

const JOBS = 1_000;
const INSTANCES = 4;
const KILL_EVERY_MS = 2_000;

/** Of jobs that last a while, every so many-th is followed. */
const FOLLOWED_EVERY = 50;

/** A bucket of ten, that refills in five seconds. */
const [BUCKET, WINDOW_MS] = [10, 5_000];

/** A client with more slow jobs than may run, and how many may. */
const [BUSY, BUSY_JOBS, MOST_RUNNING] = ['198.51.100.9', 40, 3];

const SLOW = { name: 'www.dead.example' };

const NO_BOUNDS = ['--max-queue', '5000', '--max-queue-per-client', '5000', '--max-retained', '10000'];

const BOUND = ['--max-jobs-per-client', `${MOST_RUNNING}`];

/** The jobs of which instances logged this, with when they did so first. */
function logged(lives: readonly Life[], message: string): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { time, message: said, job } of lives.flatMap(({ entries }) => entries())) {
    if (said !== message) continue;
    const [id, at] = [`${job}`, Date.parse(`${time}`)];
    times.set(id, Math.min(at, times.get(id) ?? at));
  }
  return times;
}

t.test('instances that are killed one after the other, and a store that is once', async (t) => {
  const redis = await startRedis(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const args = ['--demo', '--timeout', '2s', '--no-page', '--store', redis.url, ...NO_BOUNDS, ...BOUND];
  const fleet = await startFleet(t, INSTANCES, args, {
    SERVICE_RATE_LIMIT: `${BUCKET}/${WINDOW_MS}ms`,
    SERVICE_WEBHOOK_URL: receiver.url.href,
  });
  const { spots } = fleet;
  const over = new AbortController();
  let kills = 0;

  const killer = async () => {
    for (; !over.signal.aborted; kills += 1) {
      await soon(KILL_EVERY_MS);
      await fleet.replace(kills % INSTANCES);
      if (kills === 2)
        await redis
          .kill()
          .then(() => soon(500))
          .then(() => redis.start());
    }
  };

  /**
   * Takes all that one client gets. The service must not give it more than its bucket, and while the store is away, one of
   * each instance.
   */
  const greedy = async () => {
    const ids: string[] = [];
    const since = performance.now();
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const spot = spots[turn % INSTANCES];
      const headers = { 'X-Forwarded-For': '198.51.100.7' };
      const reply = spot && (await tried(() => start(spot, { name: 'www.shop.example' }, headers)));
      if (reply?.status === 202) ids.push(JSON.parse(reply.text).id);
      await soon(20);
    }
    const refilled = ((performance.now() - since) / WINDOW_MS) * BUCKET;
    return { ids, most: BUCKET + refilled + INSTANCES * BUCKET };
  };

  const killing = killer();
  const taking = greedy();
  const rows = Array.from({ length: JOBS }, (_, at) => at);
  const busying = atOnce(rows.slice(0, BUSY_JOBS), 4, (at) => submitSomewhere(spots, SLOW, at, BUSY));
  const following: Promise<readonly (readonly [number, string])[]>[] = [];
  const ids = await atOnce(rows, 16, async (at) => {
    const isFollowed = at % FOLLOWED_EVERY === 0;
    const body = isFollowed ? SLOW : { name: `name${at}.shop.example` };
    const id = await submitSomewhere(spots, body, at);
    if (isFollowed) following.push(followAround(spots, id, at));
    return id;
  });
  const told = await Promise.all(following);
  const busy = await busying;
  for (const id of busy) await followAround(spots, id, 0);
  over.abort();
  const { ids: taken, most } = await taking;
  await killing;
  t.comment(`${kills} instances were killed`);

  t.ok(taken.length <= most, `one client got ${taken.length} jobs, and could get ${most.toFixed(1)}`);
  t.ok(taken.length > BUCKET, 'which is more than the bucket holds at first');

  const accepted = [...ids, ...taken, ...busy];
  t.equal(new Set(accepted).size, accepted.length);
  const events = await atOnce(accepted, 16, (id, at) => followAround(spots, id, at));
  const ends = events.map((one) => one.filter(([, name]) => name === 'complete').length);
  t.same(new Set(ends), new Set([1]), 'each job that was accepted ended once');
  for (const one of [...events, ...told]) {
    const inOrder = one.every(([number], at) => number === at + 1);
    if (!inOrder) t.fail(`events are missing or come twice: ${JSON.stringify(one)}`);
  }
  t.equal(told.length, JOBS / FOLLOWED_EVERY);
  const jobs = await atOnce(accepted, 16, (id, at) => readSomewhere(spots, id, at));
  const complete = jobs.filter(({ status }) => status === 'complete').length;
  const failed = jobs.filter(({ status }) => status === 'failed');
  t.equal(complete + failed.length, accepted.length, 'and can be read');
  const lives = fleet.lives();
  const survivors = lives.filter(({ end }) => end === 'none');
  const [begunAtSurvivors, endedAtSurvivors] = ['job started', 'job ended'].map((what) =>
    logged(survivors, what),
  );
  for (const { id, error } of failed) {
    t.comment(`failed: ${error.title}: ${error.detail}`);
    // A host so busy that a thread gets no time for seconds is not the fleet's doing.
    if (error.title === 'Too much work') continue;
    t.equal(error.title, 'Given up', 'nothing fails but what was begun three times');
    t.notOk(begunAtSurvivors?.has(id), 'by instances that were killed');
  }

  const begun = logged(lives, 'job started');
  const spans = jobs
    .filter(({ id, status }) => busy.includes(id) && status === 'complete')
    .map(({ id, finishedAt }): Span => [begun.get(id) ?? Number.NaN, Date.parse(finishedAt)]);
  t.ok(spans.length > MOST_RUNNING, `${spans.length} jobs of a busy client are complete`);
  t.equal(mostAtOnce(spans), MOST_RUNNING, 'no more of them ran at once, from the first begin to the end');

  const again = events.filter((one) => one.filter(([, name]) => name === 'started').length > 1).length;
  t.ok(again > 0, `${again} jobs were run again`);

  const delivered = receiver.received.map(({ headers }) => `${headers['webhook-id']}`);
  const completes = delivered.filter((id) => id.endsWith('.complete')).map((id) => id.split('.')[0] ?? '');
  const once = new Set(completes);
  const missing = accepted.filter((id) => !once.has(id)).length;
  t.equal(missing, 0, 'no webhook is missing');
  const twice = completes.filter((id, at) => completes.indexOf(id) < at);
  t.comment(`${twice.length} of ${completes.length} webhooks came again`);
  for (const id of twice) t.notOk(endedAtSurvivors?.has(id), 'one comes twice only if its sender was killed');
});

/** From when to when something went on, in milliseconds. */
export type Span = readonly [from: number, to: number];

/** How many went on at once, at most. What begins in the moment in which another ends comes after it. */
export function mostAtOnce(spans: readonly Span[]): number {
  const turns = spans.flatMap(([from, to]) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  let now = 0;
  let most = 0;
  for (const { by } of turns.sort((one, other) => one.at - other.at || one.by - other.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
