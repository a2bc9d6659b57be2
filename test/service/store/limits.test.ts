import t, { type Test } from 'tap';
import { parseRateLimit, type RateLimit, RateLimiter } from '../../../src/service/rate-limit.ts';
import {
  bucketRate,
  createBucketLimiter,
  drawToken,
  forgetFullBuckets,
} from '../../../src/service/store/buckets.ts';
import type { Database } from '../../../src/service/store/database.ts';
import { connectToDatabase } from '../../../src/service/store/database.ts';
import { until } from '../jobs/every-kind.ts';
import { sharedPostgres, startPostgres } from './postgres-server.ts';

// They wait for the store.
t.jobs = 4;

async function connected(t: Pick<Test, 'teardown'>, url?: string): Promise<Database> {
  const made = await connectToDatabase(url ?? (await (await sharedPostgres()).database()));
  if (made.kind !== 'connected') throw new Error(made.reason);
  t.teardown(() => made.database.close());
  return made.database;
}

/** Lets time pass for all buckets. */
async function pass({ query }: Database, us: number): Promise<void> {
  await query(`UPDATE svc_bucket SET full_at = full_at - $1 * interval '1 microsecond'`, [us]);
}

/** Limits whose windows are so long that the time a test takes brings no token back. */
const LIMITS = ['3/30h', '30/700h', '7/100h', '1/10h', '1000/9000h'];

t.test('a store gives and refuses the tokens that one process would', async (t) => {
  for (const text of LIMITS) {
    const database = await connected(t);
    const { limit } = parseRateLimit(text);
    let ns = 0n;
    const local = new RateLimiter(limit, { now: () => ns });
    const tokenUs = Number(limit.window / limit.requests / 1_000n);
    for (let round = 0; round < 100; round += 1) {
      const client = `192.0.2.${round % 3}`;
      const taken = await drawToken(database, client, bucketRate(limit));
      t.equal(taken.kind, local.take(client).kind, `${text}, round ${round}`);
      const us = Math.round(tokenUs * (STEPS[round % STEPS.length] ?? 0));
      await pass(database, us);
      ns += BigInt(us) * 1_000n;
    }
  }
});

/** Parts of the time of a token between requests: all at once, then with gaps. None is just a whole one, which may be over or not. */
const STEPS = [0, 0, 0, 0.01, 0, 0.2, 0, 0, 1.1, 0, 0, 2.3];

t.test('a refused request is told when there is a token', async (t) => {
  const database = await connected(t);
  const rate = bucketRate({ requests: 2n, window: 7_200_000_000_000n });
  const draw = () => drawToken(database, '192.0.2.1', rate);
  const told = async () => {
    const taken = await draw();
    return taken.kind === 'refused' ? taken : undefined;
  };
  t.equal((await draw()).kind, 'allowed');
  t.equal((await draw()).kind, 'allowed');
  const first = await told();
  t.equal(first?.text, '2 requests per 2h0m0s');
  t.ok(first !== undefined && first.retryAfterSeconds <= 3_600 && first.retryAfterSeconds > 3_500);
  await pass(database, 3_000_000_000);
  const later = (await told())?.retryAfterSeconds ?? 0;
  t.ok(later <= 600 && later > 500, `${later} seconds, though it asked in vain before`);
  await pass(database, later * 1_000_000);
  t.equal((await draw()).kind, 'allowed');
});

t.test('no two instances take the same token', async (t) => {
  const url = await (await sharedPostgres()).database();
  const limit: RateLimit = { requests: 50n, window: 3_600_000_000_000n };
  const limiters: ReturnType<typeof createBucketLimiter>[] = [];
  while (limiters.length < 4)
    limiters.push(createBucketLimiter(limit, await connected(t, url), new RateLimiter(limit)));
  const taken = await Promise.all(
    limiters.flatMap((one) => Array.from({ length: 40 }, () => one.take('192.0.2.1'))),
  );
  t.equal(taken.filter(({ kind }) => kind === 'allowed').length, 50);
});

t.test('the time is that of the store', async (t) => {
  const database = await connected(t);
  const rate = bucketRate({ requests: 1n, window: 2_000_000_000n });
  t.strictSame(await drawToken(database, 'a', rate), { kind: 'allowed' });
  t.match(await drawToken(database, 'a', rate), { kind: 'refused' });
  await until(async () => (await drawToken(database, 'a', rate)).kind === 'allowed', 'another token');
});

t.test('full buckets are deleted, and those from the future count as full', async (t) => {
  const database = await connected(t);
  const rate = bucketRate({ requests: 2n, window: 7_200_000_000_000n });
  for (const client of ['a', 'b', 'b']) await drawToken(database, client, rate);
  await pass(database, 3_700_000_000);
  await forgetFullBuckets(database);
  t.strictSame(await database.query('SELECT client FROM svc_bucket'), [{ client: 'b' }]);
  await pass(database, -36_000_000_000);
  const kinds = [];
  for (let round = 0; round < 3; round += 1) kinds.push((await drawToken(database, 'b', rate)).kind);
  t.strictSame(kinds, ['allowed', 'allowed', 'refused']);
});

t.test('instances with other limits have other buckets', async (t) => {
  const database = await connected(t);
  const [one, other] = ['1/1h', '2/1h'].map((text) => bucketRate(parseRateLimit(text).limit));
  if (one === undefined || other === undefined) throw new Error('no rates');
  const kinds = [];
  for (const rate of [one, one, other, other, other]) kinds.push((await drawToken(database, 'a', rate)).kind);
  t.strictSame(kinds, ['allowed', 'refused', 'allowed', 'allowed', 'refused']);
});

t.test('while the store is away, each instance limits its own', async (t) => {
  const server = await startPostgres(t);
  const database = await connected(t, await server.database());
  const limit: RateLimit = { requests: 2n, window: 3_600_000_000_000n };
  const limiter = createBucketLimiter(limit, database, new RateLimiter(limit));
  await limiter.take('a');
  await server.kill();
  const kinds = [];
  for (const client of ['a', 'a', 'a', 'b']) kinds.push((await limiter.take(client)).kind);
  t.strictSame(kinds, ['allowed', 'allowed', 'refused', 'allowed']);
});

t.test('a limit of any size is never exceeded, and the store can reckon with it', async (t) => {
  const database = await connected(t);
  const most = 2n ** 63n - 1n;
  for (const limit of [
    { requests: most, window: most },
    { requests: most, window: 1n },
    { requests: 1n, window: most },
    { requests: 7n, window: 1_000_000_000n },
  ]) {
    const rate = bucketRate(limit);
    const years = 3_155_760_000_000_000n;
    t.ok(rate.tokenUs * limit.requests * 1_000n >= limit.window || rate.tokenUs === years, rate.text);
    t.ok(rate.spareUs <= rate.tokenUs * (limit.requests - 1n));
    const kinds = [];
    for (let round = 0; round < 2; round += 1) kinds.push((await drawToken(database, 'a', rate)).kind);
    t.strictSame(kinds, ['allowed', limit.requests === 1n ? 'refused' : 'allowed'], rate.text);
  }
});
