import t from 'tap';
import { start } from '../../http-client.ts';
import { startReceiver } from '../../webhook/webhook-receivers.ts';
import { startRedis } from '../redis-server.ts';
import { followAround } from './follow.ts';
import { startFleet } from './instances.ts';
import { atOnce, readSomewhere, soon, submitSomewhere, tried } from './submit.ts';

const JOBS = 1_000;
const INSTANCES = 4;
const KILL_EVERY_MS = 2_000;

/** Of jobs that last a while, every so many-th is followed. */
const FOLLOWED_EVERY = 50;

/** A bucket of ten, that refills in five seconds. */
const [BUCKET, WINDOW_MS] = [10, 5_000];

const NO_BOUNDS = ['--max-queue', '5000', '--max-queue-per-client', '5000', '--max-retained', '10000'];

t.test('instances that are killed one after the other, and a store that is once', async (t) => {
  const redis = await startRedis(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const args = ['--demo', '--timeout', '2s', '--no-page', '--store', redis.url, ...NO_BOUNDS];
  const fleet = await startFleet(t, INSTANCES, args, {
    SERVICE_RATE_LIMIT: `${BUCKET}/${WINDOW_MS}ms`,
    SERVICE_WEBHOOK_URL: receiver.url.href,
  });
  const { places } = fleet;
  const over = new AbortController();
  let kills = 0;

  const killer = async () => {
    for (; !over.signal.aborted; kills += 1) {
      await soon(KILL_EVERY_MS);
      await fleet.restart(kills % INSTANCES);
      if (kills === 2)
        await redis
          .kill()
          .then(() => soon(500))
          .then(() => redis.start());
    }
  };

  /** Takes all that one client gets; the service must not give it more than its bucket. */
  const greedy = async () => {
    const ids: string[] = [];
    const since = performance.now();
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const place = places[turn % INSTANCES];
      const headers = { 'X-Forwarded-For': '198.51.100.7' };
      const reply = place && (await tried(() => start(place, { name: 'www.shop.example' }, headers)));
      if (reply?.status === 202) ids.push(JSON.parse(reply.text).id);
      await soon(20);
    }
    return { ids, most: BUCKET + ((performance.now() - since) / WINDOW_MS) * BUCKET };
  };

  const killing = killer();
  const taking = greedy();
  const rows = Array.from({ length: JOBS }, (_, at) => at);
  const following: Promise<readonly (readonly [number, string])[]>[] = [];
  const ids = await atOnce(rows, 16, async (at) => {
    const isFollowed = at % FOLLOWED_EVERY === 0;
    const body = { name: isFollowed ? 'www.dead.example' : `name${at}.shop.example` };
    const id = await submitSomewhere(places, body, at);
    if (isFollowed) following.push(followAround(places, id, at));
    return id;
  });
  const told = await Promise.all(following);
  over.abort();
  const { ids: taken, most } = await taking;
  await killing;
  t.comment(`${kills} instances were killed`);

  t.ok(taken.length <= most, `one client got ${taken.length} jobs, and could get ${most.toFixed(1)}`);
  t.ok(taken.length > BUCKET, 'which is more than the bucket holds at first');

  const accepted = [...ids, ...taken];
  t.equal(new Set(accepted).size, accepted.length);
  const events = await atOnce(accepted, 16, (id, at) => followAround(places, id, at));
  const ends = events.map((one) => one.filter(([, name]) => name === 'complete').length);
  t.same(new Set(ends), new Set([1]), 'each job that was accepted ended once');
  for (const one of [...events, ...told]) {
    const inOrder = one.every(([number], at) => number === at + 1);
    if (!inOrder) t.fail(`events are missing or come twice: ${JSON.stringify(one)}`);
  }
  t.equal(told.length, JOBS / FOLLOWED_EVERY);
  const jobs = await atOnce(accepted, 16, (id, at) => readSomewhere(places, id, at));
  const complete = jobs.filter(({ status }) => status === 'complete').length;
  const failed = jobs.filter(({ status }) => status === 'failed');
  for (const { error } of failed) t.comment(`failed: ${error.detail}`);
  t.equal(complete + failed.length, accepted.length, 'and can be read');
  t.ok(failed.length <= accepted.length / 100, 'few were begun by three instances that were killed');
  const again = events.filter((one) => one.filter(([, name]) => name === 'started').length > 1).length;
  t.ok(again > 0, `${again} jobs were run again`);

  const delivered = receiver.received.map(({ headers }) => `${headers['webhook-id']}`);
  const completes = delivered.filter((id) => id.endsWith('.complete')).map((id) => id.split('.')[0] ?? '');
  const once = new Set(completes);
  const missing = accepted.filter((id) => !once.has(id)).length;
  t.comment(`webhooks: ${completes.length} of ${once.size} jobs, ${missing} missing`);
  t.ok(completes.length - once.size <= kills * 8, 'a webhook comes twice only if its sender died');
  t.equal(missing, 0, 'and is never missing');
});
