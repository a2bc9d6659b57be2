import { randomBytes, randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { packed } from '../../../src/base/packing.ts';
import { THIS_HOST } from '../../../src/service/client.ts';
import { Job } from '../../../src/service/jobs/job.ts';
import { cancelledBefore } from '../../../src/service/jobs/persistence.ts';
import type { StoreConnection } from '../../../src/service/store/connection/connect.ts';
import { storeKey } from '../../../src/service/store/connection/script.ts';
import {
  type EventBlock,
  HeldChunks,
  JobRecords,
  NOTHING_MET,
} from '../../../src/service/store/jobs/job-records.ts';
import { REQUEST } from '../jobs/every-kind.ts';
import { connected, startRedis } from './redis-server.ts';

const RULES = {
  maxJobsPerClient: 2,
  maxQueue: 100,
  maxQueuePerClient: 10,
  retainMs: 60_000,
  maxRetained: 3,
  maxRetainedBytes: 1e9,
  ends: 'untold',
} as const;
const AT = new Date('2026-11-22T10:00:00Z');
const END = cancelledBefore({ firstStartedAt: undefined }, AT);

function newJob(party = '192.0.2.1'): Job {
  return new Job({ id: randomUUID(), request: REQUEST, owner: { client: party, party }, createdAt: AT });
}

const block = (after: number, last: number): EventBlock => ({ after, last, octets: Buffer.from('events') });

async function instances(t: Test) {
  const redis = await startRedis(t);
  const [one, other] = [await connected(t, redis), await connected(t, redis)];
  /** As if it had hung: it is held to be dead, and does not know. */
  const hang = async ({ commands, instance }: StoreConnection) => {
    await commands.set(storeKey('pulse', instance), '', 'PX', 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const records = (connection: StoreConnection) => new JobRecords(connection, RULES);
  return { one, other, hang, records };
}

t.test("a job is one instance's at a time, and what another writes is refused", async (t) => {
  const { one, other, hang, records } = await instances(t);
  const [here, there] = [records(one), records(other)];
  const job = newJob();
  t.same(await here.submit(job, 0), { kind: 'accepted', turns: [{ id: job.id, ofParty: 1 }] });
  const first = await here.claim(job.id, AT);
  if (first.kind !== 'claimed') throw new Error(first.kind);
  t.same([first.attempts, first.last, first.wish, first.firstStartedAt], [0, 0, 'run', '']);
  const mine = { id: job.id, term: first.term };
  job.progress = { exchanges: 1, pending: 3 };
  t.same(await here.append(mine, block(0, 2), job), { kind: 'kept', followers: 0, wish: 'run' });
  t.same(await there.claim(job.id, AT), { kind: 'held' }, 'while it is alive');

  await hang(one);
  const second = await there.claim(job.id, new Date(AT.getTime() + 1_000));
  if (second.kind !== 'claimed') throw new Error(second.kind);
  t.same([second.firstStartedAt, second.exchanges], [AT.toISOString(), 1], 'what is known stays known');
  t.same([second.attempts, second.last], [1, 2], 'ids count on');
  const theirs = { id: job.id, term: second.term };
  t.same(await here.append(mine, block(2, 3), job), { kind: 'lost' });
  t.same(await here.end(mine, block(2, 3), job, END, NOTHING_MET), { kind: 'lost' });
  t.equal(await here.leave(mine, 0), 'lost');
  t.same(await there.append(theirs, block(2, 5), job), { kind: 'kept', followers: 0, wish: 'run' });
  t.same(await there.end(theirs, block(5, 6), job, END, NOTHING_MET), {
    kind: 'kept',
    crowdedOut: 0,
    turns: [],
  });
  t.same(await here.claim(job.id, AT), { kind: 'over' });
  t.same(await here.end(mine, block(5, 6), job, END, NOTHING_MET), { kind: 'lost' }, 'also after the end');
  const stored = await here.look(job.id, 'events');
  t.same(
    stored?.blocks.map(({ last }) => last),
    [2, 5, 6],
  );
});

t.test('what was done before its reply was lost is not done twice', async (t) => {
  const { one, records } = await instances(t);
  const here = records(one);
  const job = newJob();
  await here.submit(job, 0);
  const claim = await here.claim(job.id, AT);
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const again = await here.claim(job.id, AT);
  if (again.kind !== 'claimed') throw new Error(again.kind);
  t.same([claim.attempts, again.attempts], [0, 0], 'it has begun once');
  const mine = { id: job.id, term: again.term };
  await here.append(mine, block(0, 2), job);
  t.same(await here.append(mine, block(0, 4), job), { kind: 'elsewhere', last: 2 }, 'it says what it has');
  t.same(await here.end(mine, block(0, 4), job, END, NOTHING_MET), { kind: 'elsewhere', last: 2 });
  t.match(await here.end(mine, block(2, 4), job, END, NOTHING_MET), { kind: 'kept' });
  t.match(await here.end(mine, block(2, 4), job, END, NOTHING_MET), { kind: 'kept' });
  t.same(
    (await here.look(job.id, 'events'))?.blocks.map(({ last }) => last),
    [2, 4],
  );
  t.same(await here.count(), { queued: 0, running: 0, retained: 1 });
});

t.test('what is held of a result is not fetched again', async (t) => {
  const { one, other, records } = await instances(t);
  const [here, there] = [records(one), records(other)];
  const job = newJob();
  await here.submit(job, 0);
  const claim = await here.claim(job.id, AT);
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const result = [packed(randomBytes(200_000)), packed(randomBytes(100_000))];
  const mine = { id: job.id, term: claim.term };
  const end = { status: 'cancelled', finishedAt: AT, conclusion: END.conclusion, result } as const;
  t.match(await here.end(mine, block(0, 1), job, end, NOTHING_MET), { kind: 'kept' });
  const fetched = async () => {
    const before = other.traffic.octetsReceived;
    const stored = await there.look(job.id, 'result');
    return { chunks: stored?.result ?? [], octets: other.traffic.octetsReceived - before };
  };
  const first = await fetched();
  const again = await fetched();
  t.same(
    first.chunks,
    result.map(({ octets }) => octets),
  );
  t.ok(first.octets > 300_000);
  for (const [at, chunk] of again.chunks.entries()) t.equal(chunk, first.chunks[at]);
  t.equal(again.chunks.length, result.length);
  t.ok(again.octets < 10_000, `${again.octets} octets`);
});

t.test('what waits is bounded, of all and of each party, but for what has room at once', async (t) => {
  const { one } = await instances(t);
  const here = new JobRecords(one, { ...RULES, maxQueue: 2, maxQueuePerClient: 1 });
  t.match(await here.submit(newJob(), 0), { kind: 'accepted' });
  t.match(await here.submit(newJob(), 0), { kind: 'client-queue-full' });
  t.match(await here.submit(newJob(), 1), { kind: 'accepted' });
  t.match(await here.submit(newJob('192.0.2.2'), 0), { kind: 'queue-full' });
  t.match(await here.submit(newJob(THIS_HOST), 1), { kind: 'accepted' });
});

/** Accepts and ends as many jobs: their identifiers, and how many had to go for each. */
async function ended(here: JobRecords, count: number) {
  const ids: string[] = [];
  const gone: number[] = [];
  for (let made = 0; made < count; made += 1) {
    const job = newJob();
    await here.submit(job, 0);
    const claim = await here.claim(job.id, AT);
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const term = { id: job.id, term: claim.term };
    const kept = await here.end(term, block(0, 1), job, END, NOTHING_MET);
    gone.push(kept.kind === 'kept' ? kept.crowdedOut : Number.NaN);
    await here.keepServers(job.id, Buffer.from('{}'));
    ids.push(job.id);
  }
  const statuses = async () => {
    const there = await Promise.all(ids.map((id) => here.look(id, 'state')));
    return there.map((stored) => stored?.status);
  };
  return { gone, statuses };
}

t.test('of what has ended so much is kept: what ended first goes, and all of it expires', async (t) => {
  const { one, records } = await instances(t);
  const here = records(one);
  const { gone, statuses } = await ended(here, 5);
  t.same(gone, [0, 0, 0, 1, 1]);
  t.same(await here.count(), { queued: 0, running: 0, retained: 3 });
  t.same(await statuses(), [undefined, undefined, 'cancelled', 'cancelled', 'cancelled']);
  const keys = [
    ...(await one.commands.keys(storeKey('job', '*'))),
    ...(await one.commands.keys(storeKey('retained*'))),
  ];
  t.equal(keys.length, 9 + 3, 'jobs with events and servers, and their sizes');
  for (const key of keys) t.ok((await one.commands.pttl(key)) > 0, key.replace(/[\da-f-]{36}/, 'ID'));
});

t.test('by memory too, but what ended last stays', async (t) => {
  const { one } = await instances(t);
  const here = new JobRecords(one, { ...RULES, maxRetainedBytes: 1 });
  const { gone, statuses } = await ended(here, 3);
  t.same(gone, [0, 1, 1]);
  t.same(await statuses(), [undefined, undefined, 'cancelled']);
  const total = Number(await one.commands.get(storeKey('retained', 'total')));
  t.ok(total > 500 && total < 50_000, `${total} octets`);
  t.same(Object.values(await one.commands.hgetall(storeKey('retained', 'sizes'))), [`${total}`]);
});

t.test('an end that nobody announced is announced by another instance, once', async (t) => {
  const { one, other, hang, records } = await instances(t);
  const here = new JobRecords(one, { ...RULES, ends: 'announced' });
  const job = newJob();
  await here.submit(job, 0);
  const claim = await here.claim(job.id, AT);
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const end = { ...END, startedAt: AT };
  await here.end({ id: job.id, term: claim.term }, block(0, 1), job, end, NOTHING_MET);
  await one.commands.zadd(storeKey('owed'), 1, job.id);
  t.same(await records(other).owed(), [], 'who stored it is there');
  await hang(one);
  await one.commands.zadd(storeKey('owed'), 1, job.id);
  t.same(await records(other).owed(), [job.id]);
  t.same(await records(other).owed(), []);
  await records(other).announced(job.id);
  t.equal(await one.commands.zcard(storeKey('owed')), 0);
});

t.test('an accepted job that is not in the queue is found, by one instance at a time', async (t) => {
  const { one, other, records } = await instances(t);
  const job = newJob();
  await records(one).submit(job, 0);
  const later = { score: Date.now() - 60_000 };
  await one.commands.zadd(storeKey('waiting'), later.score, job.id);
  await one.commands.zadd(storeKey('waiting'), later.score, randomUUID());
  t.same(await records(one).sweep('svc:1:queue:traversals:'), [{ id: job.id, ofParty: 1 }]);
  t.same(await records(other).sweep('svc:1:queue:traversals:'), []);
  t.match(await records(one).count(), { queued: 1 }, 'what is kept no longer is counted no more');
});

/** Those whose turn it is. */
const called = (done: object) => ('turns' in done ? done.turns : undefined);

t.test('of a party no more leave its line than may run, in the order in which they came', async (t) => {
  const { one, other, hang, records } = await instances(t);
  const [here, there] = [records(one), records(other)];
  const jobs = [newJob(), newJob(), newJob(), newJob(), newJob(), newJob()] as const;
  const [first, second, third, fourth, fifth, sixth] = jobs;
  const turns = [];
  for (const job of jobs) turns.push(called(await here.submit(job, 0)));
  t.same(turns, [[{ id: first.id, ofParty: 1 }], [{ id: second.id, ofParty: 2 }], [], [], [], []]);
  t.match(
    called(await here.submit(newJob('192.0.2.2'), 0)),
    [{ ofParty: 1 }],
    'as if nobody else were there',
  );
  t.match(await here.count(), { queued: 7, running: 0 });

  const claim = await here.claim(first.id, AT);
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const end = () =>
    here.end({ id: first.id, term: claim.term }, block(0, 1), first, END, NOTHING_MET).then(called);
  t.same(await end(), [{ id: third.id, ofParty: 2 }]);
  t.same(await end(), [], 'the same end calls nobody again');
  t.same(called(await here.cancel(fourth, END)), [], 'who was in line leaves no room');
  t.same(called(await here.cancel(second, END)), [{ id: fifth.id, ofParty: 2 }]);
  t.match(await here.claim(third.id, AT), { kind: 'claimed' });
  t.match(await here.claim(fifth.id, AT), { kind: 'claimed' });
  t.same(await here.claim(sixth.id, AT), { kind: 'held' }, 'even if it were in the queue');
  await hang(one);
  t.match(await there.claim(third.id, AT), { kind: 'claimed' }, 'one that is run again is no other');
  t.same(await there.claim(sixth.id, AT), { kind: 'held' });
});

t.test('what is in line goes after what is in the queue, and parties take turns', async (t) => {
  const { one, records } = await instances(t);
  const here = records(one);
  const ahead = (job: Job) => here.ahead(job.id, 'svc:1:queue:traversals:');
  const jobs = ['192.0.2.1', '192.0.2.2'].flatMap((party) => Array.from({ length: 5 }, () => newJob(party)));
  for (const job of jobs) await here.submit(job, 0);
  const [mine, theirs] = [jobs.slice(2, 5), jobs.slice(7, 10)];
  const places = async (all: readonly Job[]) => await Promise.all(all.map(ahead));
  t.same(
    [await places(mine), await places(theirs)],
    [
      [0, 2, 4],
      [0, 2, 4],
    ],
  );
  await one.commands.zadd('svc:1:queue:traversals:prioritized', 1, 'one', 2, String(jobs[0]?.id));
  t.same(await places([...jobs.slice(0, 2), ...mine]), [1, undefined, 2, 4, 6]);
  t.equal(await ahead(newJob()), undefined);
});

t.test('clients that are exempt have no line', async (t) => {
  const { one, records } = await instances(t);
  const here = records(one);
  for (const ofParty of [1, 2, 3, 4]) t.match(called(await here.submit(newJob(THIS_HOST), 0)), [{ ofParty }]);
});

t.test('what is free of a bound is found by whoever looks', async (t) => {
  const { one, records } = await instances(t);
  const [here, jobs] = [records(one), [newJob(), newJob(), newJob(), newJob()]];
  for (const job of jobs) await here.submit(job, 0);
  const wider = new JobRecords(one, { ...RULES, maxJobsPerClient: 3 });
  t.same(await wider.sweep('svc:1:queue:traversals:'), [{ id: jobs[2]?.id, ofParty: 3 }]);
  await here.retract(String(jobs[0]?.id));
  await one.commands.del(storeKey('sweep'));
  t.same(await wider.sweep('svc:1:queue:traversals:'), [{ id: jobs[3]?.id, ofParty: 3 }]);
  t.equal(await one.commands.exists(storeKey('lines')), 0, 'nobody is in line');
});

const read = () => [Uint8Array.of(1), Uint8Array.of(2)];

t.test('a chunk that is read again while somebody holds it is the one that is held', async (t) => {
  const chunks = new HeldChunks();
  const first = chunks.whole('one', [], read());
  const again = chunks.whole('one', [], read());
  t.same(again, read());
  for (const [at, chunk] of again.entries()) t.equal(chunk, first[at]);
  t.not(chunks.whole('other', [], read())[0], first[0], 'of another job');
});

t.test('what is held need not be read', async (t) => {
  const chunks = new HeldChunks();
  t.same(chunks.first('one'), []);
  const [one = Uint8Array.of(), two = Uint8Array.of()] = read();
  chunks.whole('one', [], [one]);
  const held = chunks.first('one');
  t.equal(held[0], one);
  t.same(chunks.whole('one', held, [two]), read());
  t.same(chunks.first('one'), read());
  t.same(chunks.first('other'), []);
});
