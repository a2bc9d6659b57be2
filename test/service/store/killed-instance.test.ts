import t from 'tap';
import { ask } from '../http-client.ts';
import { until } from '../jobs/homes.ts';
import { startServe } from '../spawned.ts';
import { eventsIn, startJob } from '../test-service.ts';
import { startReceiver } from '../webhook/webhook-receivers.ts';
import { startRedis } from './redis-server.ts';

/** Its servers never reply, so it takes some seconds. */
const SLOW = { name: 'www.dead.example' };

for (const [what, signal] of [
  ['is killed', 'SIGKILL'],
  ['hangs', 'SIGSTOP'],
] as const) {
  t.test(`another instance runs the job of one that ${what}`, async (t) => {
    const redis = await startRedis(t);
    const start = () => startServe(t, ['--demo', '--timeout', '2s', '--retries', '0', '--store', redis.url]);
    const instances = [await start(), await start()];
    const [first] = instances;
    if (first === undefined) throw new Error('none');
    const id = await startJob(first, SLOW);
    const isAt = ({ entries }: typeof first) =>
      entries().some(({ message, job }) => message === 'job started' && job === id);
    await until(() => instances.some(isAt), 'the start');
    const [holder, other] = isAt(first) ? instances : instances.toReversed();
    if (holder === undefined || other === undefined) throw new Error('none');
    const followed = ask(other, 'GET', `/api/traverse/${id}/events`);
    const exchanges = async () =>
      JSON.parse((await ask(other, 'GET', `/api/traverse/${id}`)).text).progress.exchanges;
    await until(async () => (await exchanges()) > 0, 'an exchange');
    holder.kill(signal);
    const began = Date.now();
    await until(() => isAt(other), 'the start at the other');
    t.ok(Date.now() - began < 12_000, 'within seconds');
    if (signal === 'SIGSTOP') holder.kill('SIGCONT');
    const events = eventsIn((await followed).text);
    t.same(
      events.map(([at]) => at),
      events.map((_, at) => at + 1),
      'ids without a gap',
    );
    const starts = events.filter(([, name]) => name === 'started');
    t.equal(starts.length, 2);
    t.match(starts[1]?.[2], { attempt: 2 });
    t.equal(events.filter(([, name]) => name === 'complete').length, 1);
    const ends = instances.flatMap(({ entries }) =>
      entries().filter(({ message, job }) => message === 'job ended' && job === id),
    );
    t.equal(ends.length, 1);
  });
}

t.test('a job whose instance was killed is cancelled at another as one that had started', async (t) => {
  const redis = await startRedis(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const env = { SERVICE_WEBHOOK_URL: receiver.url.href };
  const start = () =>
    startServe(t, ['--demo', '--timeout', '9s', '--retries', '0', '--store', redis.url], env);
  const first = await start();
  const id = await startJob(first, { name: 'www.dead.example' });
  const read = async (place: typeof first) =>
    JSON.parse((await ask(place, 'GET', `/api/traverse/${id}`)).text);
  await until(async () => (await read(first)).progress.exchanges > 0, 'an exchange');
  const { startedAt, progress } = await read(first);
  first.kill('SIGKILL');
  const other = await start();
  t.equal((await ask(other, 'DELETE', `/api/traverse/${id}`)).status, 204);
  const end = await read(other);
  t.match(end, { status: 'cancelled', startedAt });
  t.ok(end.progress.exchanges >= progress.exchanges);
  await until(() => receiver.received.length === 2, 'what the receiver is told');
  t.same(
    receiver.received.map(({ body }) => JSON.parse(body).event),
    ['start', 'complete'],
  );
});

t.test('an instance that is asked to stop while its store is away ends', async (t) => {
  const redis = await startRedis(t);
  const service = await startServe(t, ['--demo', '--grace', '0s', '--store', redis.url]);
  await redis.kill();
  service.kill('SIGTERM');
  t.same(await service.exit, { code: 0, signal: null });
});
