import t from 'tap';
import { ask, start } from '../../http-client.ts';
import { until } from '../../jobs/homes.ts';
import { metric } from '../../test-service.ts';
import { startRedis } from '../redis-server.ts';
import { startInstance } from '../shared-service.ts';

t.test('a client has one bucket, whichever instances it asks', async (t) => {
  const redis = await startRedis(t);
  const limits = { maxQueuePerClient: 100 };
  const instances = [await startInstance(t, redis, limits), await startInstance(t, redis, limits)];
  const statuses: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    for (const place of instances) {
      const headers = { 'X-Forwarded-For': '192.0.2.1' };
      statuses.push((await start(place, { name: 'www.example' }, headers)).status);
    }
  }
  t.equal(statuses.filter((status) => status === 429).length, 10, '30 of 40 are allowed');
  t.ok(
    statuses.slice(0, 30).every((status) => status === 202),
    'the first 30',
  );
});

t.test('the metrics tell what the store costs and whether it is there', async (t) => {
  const redis = await startRedis(t);
  const one = await startInstance(t, redis);
  await startInstance(t, redis);
  const value = (name: string) => metric(one, `traversal_store_${name}`);
  await until(async () => (await value('instances')) === 2);
  t.equal(await value('up'), 1);
  const commands = await value('commands_total');
  const sent = await value('bytes_total{direction="sent"}');
  await start(one, { name: 'www.example' });
  t.ok((await value('commands_total')) > commands);
  t.ok((await value('bytes_total{direction="sent"}')) > sent);
  t.ok((await value('bytes_total{direction="received"}')) > 0);
  t.notMatch((await ask(one, 'GET', '/metrics')).text, /^traversal_rate_limited_clients /m);
  redis.signal('SIGSTOP');
  await until(async () => (await value('up')) === 0);
  t.equal((await start(one, { name: 'www.example' })).status, 503, 'nobody waits for a store that hangs');
  redis.signal('SIGCONT');
  await until(async () => (await value('up')) === 1);
  await redis.kill();
  await until(async () => (await value('up')) === 0);
  await until(async () => (await value('instances')) === 0);
  await redis.start();
  await until(async () => (await value('up')) === 1);
  await until(async () => (await value('instances')) === 2);
});
