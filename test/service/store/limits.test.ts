import t from 'tap';
import { parseRateLimit, type RateLimit, RateLimiter } from '../../../src/service/rate-limit.ts';
import { createStoreLimiter, tokenParts } from '../../../src/service/store/store-rate-limiter.ts';
import { ask, start } from '../http-client.ts';
import { until } from '../jobs/every-kind.ts';
import { metric, startInstance } from '../test-service.ts';
import { connected, startRedis } from './redis-server.ts';

/** Microseconds since 1970 when the tests begin. */
const BEGINNING = 1_790_000_000_000_000n;

const LIMITS = ['3/30s', '30/1h', '7/1s', '1/1s', '3/1us', '1000/1m', '7/1h30m', '1000003/1m7s', '13/999ns'];

t.test('a store gives and refuses to the microsecond what one process would', async (t) => {
  const connection = await connected(t, await startRedis(t));
  for (const text of LIMITS) {
    let us = BEGINNING;
    const { limit } = parseRateLimit(text);
    const local = new RateLimiter(limit, { now: () => us * 1_000n });
    const shared = createStoreLimiter(limit, connection, unused, { now: () => us });
    const tokenUs = Number(limit.window / limit.requests / 1_000n);
    for (let round = 0; round < 120; round += 1) {
      const client = `192.0.2.${round % 3}`;
      t.strictSame(await shared.take(client), local.take(client), `${text}, round ${round}`);
      us += BigInt(STEPS[round % STEPS.length] ?? 0) + BigInt(round % 11 === 0 ? tokenUs : 0);
    }
  }
});

/** Microseconds between requests: all at once, then with gaps. */
const STEPS = [0, 0, 0, 1, 0, 333, 0, 0, 1_000_000, 0, 0, 7_777_777];

t.test('no two instances take the same token', async (t) => {
  const server = await startRedis(t);
  const limit: RateLimit = { requests: 50n, window: 3_600_000_000_000n };
  const limiters = await Promise.all(
    [1, 2, 3, 4].map(async () => createStoreLimiter(limit, await connected(t, server), unused)),
  );
  const taken = await Promise.all(
    limiters.flatMap((one) => Array.from({ length: 40 }, () => one.take('192.0.2.1'))),
  );
  t.equal(taken.filter(({ kind }) => kind === 'allowed').length, 50);
});

t.test('the time is that of the store', async (t) => {
  const connection = await connected(t, await startRedis(t));
  const limiter = createStoreLimiter({ requests: 1n, window: 2_000_000_000n }, connection, unused);
  t.strictSame(await limiter.take('a'), { kind: 'allowed' });
  t.match(await limiter.take('a'), { kind: 'refused' });
  await until(async () => (await limiter.take('a')).kind === 'allowed', 'another token');
});

t.test('full buckets are forgotten, and no more are kept than may be', async (t) => {
  let us = BEGINNING;
  const connection = await connected(t, await startRedis(t));
  const options = { mostClients: 3, now: () => us };
  const limit: RateLimit = { requests: 7n, window: 1_000_000_000n };
  const limiter = createStoreLimiter(limit, connection, unused, options);
  const kept = async () => {
    const [buckets = ''] = await connection.commands.keys('svc:1:buckets:7/1000000000');
    return await connection.commands.zrange(buckets, 0, '-1');
  };
  for (const client of ['a', 'b', 'b', 'c', 'c', 'c', 'd', 'd']) await limiter.take(client);
  t.strictSame(await kept(), ['b', 'd', 'c'], 'that of a was closest to full');
  us += 300_000n;
  await limiter.take('e');
  t.strictSame(await kept(), ['c', 'e'], 'those of b and d are full');
  t.equal(await connection.commands.hlen('svc:1:buckets:7/1000000000:beyond'), 2);
  const expiry = await connection.commands.pttl('svc:1:buckets:7/1000000000');
  t.ok(expiry > 0 && expiry <= 2_000, 'and in the end all of them');
});

t.test('while the store is away, each instance limits its own', async (t) => {
  const server = await startRedis(t);
  const connection = await connected(t, server);
  const limit: RateLimit = { requests: 2n, window: 3_600_000_000_000n };
  const limiter = createStoreLimiter(limit, connection, new RateLimiter(limit));
  await limiter.take('a');
  await server.kill();
  const kinds = [];
  for (const client of ['a', 'a', 'a', 'b']) kinds.push((await limiter.take(client)).kind);
  t.strictSame(kinds, ['allowed', 'allowed', 'refused', 'allowed']);
});

t.test('limits of any size keep to what doubles can count', async (t) => {
  const most = 2n ** 63n - 1n;
  for (const limit of [
    { requests: most, window: most },
    { requests: most, window: 1n },
    { requests: 1n, window: most },
  ]) {
    const { token, spare, denominator } = tokenParts(limit);
    t.ok(denominator <= 2n ** 52n && token.parts < denominator && spare.parts < denominator);
    const [oneToken, all] = [token.us * denominator + token.parts, spare.us * denominator + spare.parts];
    t.equal(all, oneToken * (limit.requests - 1n));
    t.ok(oneToken * limit.requests * 1_000n >= limit.window * denominator, 'no more than the limit');
  }
});

/** What nothing may ask. */
const unused = {
  clients: 0,
  take: () => {
    throw new Error('the store is there');
  },
};

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
