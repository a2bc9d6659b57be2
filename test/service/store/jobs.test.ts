import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { packed } from '../../../src/base/packing.ts';
import { blocksOf } from '../../../src/service/client.ts';
import { cancelledEnd, Job } from '../../../src/service/jobs/job.ts';
import { NOTHING_MET } from '../../../src/service/jobs/run-job.ts';
import { DEFAULT_SETTINGS } from '../../../src/service/settings.ts';
import { connectToDatabase } from '../../../src/service/store/database.ts';
import { Accepting } from '../../../src/service/store/jobs/accepting.ts';
import { Reading } from '../../../src/service/store/jobs/reading.ts';
import { Running, type TakenJob } from '../../../src/service/store/jobs/running.ts';
import { Unreadable } from '../../../src/service/store/jobs/unreadable.ts';
import { Upkeep } from '../../../src/service/store/jobs/upkeep.ts';
import { ask } from '../http-client.ts';
import { REQUEST, until } from '../jobs/every-kind.ts';
import { metric, startInstance, startJob } from '../test-service.ts';
import { sharedPostgres } from './postgres-server.ts';

const SETTINGS = { ...DEFAULT_SETTINGS, maxQueue: 4, maxJobsPerClient: 100, maxQueuePerClient: 100 };

/** The statements of one instance. */
async function instanceAt(t: Test, url: string, settings: Partial<typeof SETTINGS> = {}) {
  const connected = await connectToDatabase(url);
  if (connected.kind !== 'connected') throw new Error(connected.reason);
  const { database } = connected;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= database.close();
    return closed;
  };
  t.teardown(close);
  const all = { ...SETTINGS, ...settings };
  const unreadable = new Unreadable(() => {});
  const accepting = new Accepting(database, all, unreadable);
  const accept = async (client = '192.0.2.1') => {
    const job = jobOf(client);
    return { job, accepted: await accepting.accept(job, 0) };
  };
  /** Accepts a job and lets it start. */
  const queue = async (client?: string) => {
    const { job, accepted } = await accept(client);
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
    await accepting.release(job.id, false);
    return job.id;
  };
  return {
    database,
    accepting,
    accept,
    queue,
    running: new Running(database, all, false),
    reading: new Reading(database, unreadable),
    unreadable,
    upkeep: new Upkeep(database, all),
    close,
  };
}

const jobOf = (client: string) =>
  new Job({ id: randomUUID(), request: REQUEST, owner: { client, party: client }, createdAt: new Date() });

const newUrl = async () => await (await sharedPostgres()).database();

t.test(
  'a job of seven exchanges takes at most 25 statements, those of an idle instance included',
  async (t) => {
    const instance = await startInstance(t, { url: await newUrl() });
    const statements = async () => (await metric(instance, 'traversal_store_statements_total')) ?? 0;
    const before = await statements();
    for (const jobs of [1, 2, 3]) {
      const id = await startJob(instance);
      await until(() => instance.engine.runs.length === jobs);
      for (let exchange = 1; exchange <= 7; exchange += 1)
        instance.engine.runs.at(-1)?.exchange(`192.0.2.${exchange}`);
      instance.engine.runs.at(-1)?.finish();
      await until(() => instance.engine.fingerprintings.length >= 1);
      for (const fingerprinting of instance.engine.fingerprintings) fingerprinting.finish();
      await until(async () => (await ask(instance, 'GET', `/api/traverse/${id}/servers`)).status === 200);
    }
    const each = ((await statements()) - before) / 3;
    t.ok(each <= 25, `${each}`);
  },
);

t.test('a job whose statement comes after its deadline is not accepted', async (t) => {
  const { database, reading } = await instanceAt(t, await newUrl());
  const late = new Accepting(
    { query: database.query, instance: database.instance, deadlineIn: () => Date.now() - 1_000 },
    SETTINGS,
    { ids: [] },
  );
  const job = jobOf('192.0.2.1');
  t.same(await late.accept(job, 0), { kind: 'refused', why: 'away' });
  t.equal(await reading.look(job.id, 'state'), undefined);
});

t.test('a job starts when its instance knows that it is stored, and not before', async (t) => {
  const rows = [
    ['held', async () => {}, 'held'],
    [
      'released',
      async ({ accepting }, { id }) => {
        t.equal(await accepting.release(id, true), 'released');
        t.equal(await accepting.release(id, true), 'released', 'once more changes nothing');
      },
      'taken',
    ],
    ['taken back', async ({ accepting }, { id }) => await accepting.retract(id), 'gone'],
    [
      'held for a minute, so that nobody was promised it',
      async ({ database, accepting, upkeep }, { id }) => {
        await database.query(`UPDATE svc_job SET created_at = created_at - interval '61 s' WHERE id = $1`, [
          id,
        ]);
        await upkeep.takeBack([], []);
        t.equal(await accepting.release(id, true), 'gone');
      },
      'gone',
    ],
  ] as const satisfies readonly (readonly [
    string,
    (instance: Awaited<ReturnType<typeof instanceAt>>, job: Job) => Promise<void>,
    string,
  ])[];
  for (const [what, change, expected] of rows) {
    const instance = await instanceAt(t, await newUrl());
    const { job } = await instance.accept();
    await change(instance, job);
    const taken = await instance.running.take(new Date());
    const stored = await instance.reading.look(job.id, 'state');
    t.equal(taken === undefined ? (stored?.state ?? 'gone') : 'taken', expected, what);
  }
});

t.test(
  'instances that take at the same time take each job once, and no more of a client than may run',
  async (t) => {
    const url = await newUrl();
    const settings = { maxQueue: 100, maxJobsPerClient: 6 };
    const [one, other] = [await instanceAt(t, url, settings), await instanceAt(t, url, settings)];
    for (let count = 0; count < 12; count += 1) await one.queue('198.51.100.1');
    for (let count = 0; count < 3; count += 1) await one.queue('192.0.2.1');
    const taken: TakenJob[] = [];
    const takeAll = async ({ running }: typeof one) => {
      for (
        let next = await running.take(new Date());
        next !== undefined;
        next = await running.take(new Date())
      )
        taken.push(next);
    };
    await Promise.all([takeAll(one), takeAll(other)]);
    t.equal(new Set(taken.map(({ id }) => id)).size, taken.length);
    t.equal(taken.length, 9);
  },
);

t.test('only a job that ran alone, or in two instances that died, runs alone', async (t) => {
  const url = await newUrl();
  const witness = await instanceAt(t, url);
  const [first, second] = [await witness.queue(), await witness.queue()];
  const dieWith = async (count: number) => {
    const doomed = await instanceAt(t, url);
    const suspects: boolean[] = [];
    for (let taken = 0; taken < count; taken += 1) {
      const job = await doomed.running.take(new Date());
      if (job?.suspect) await doomed.running.beginAlone(job, new Date());
      if (job !== undefined) suspects.push(job.suspect);
    }
    await doomed.close();
    t.equal((await witness.upkeep.takeBack([], [])).length, count);
    return suspects;
  };
  t.same(await dieWith(2), [false, false]);
  t.same(await dieWith(2), [false, false], 'one of them may be innocent');
  const attempts = [await witness.running.take(new Date()), await witness.running.take(new Date())];
  t.match(
    attempts.map((taken) => taken && [taken.id, taken.suspect, taken.attempts]),
    [first, second].map((id) => [id, true, 2]),
  );
});

t.test('a result of several parts is that of the instance that ended the job', async (t) => {
  const url = await newUrl();
  const [one, other] = [await instanceAt(t, url), await instanceAt(t, url)];
  const id = await one.queue();
  const endedBy = async ({ running }: typeof one, taken: TakenJob | undefined, texts: readonly string[]) => {
    if (taken === undefined) throw new Error('it was not taken');
    const now = new Date();
    const job = new Job({ ...jobOf('192.0.2.1'), id });
    const result = texts.map((text) => packed(Buffer.from(text)));
    const state = { ...cancelledEnd(now, now), status: 'cancelled', result } as const;
    return await running.end(taken, { after: 0, last: 0, text: '' }, { job, state, trace: NOTHING_MET });
  };
  const lost = await one.running.take(new Date());
  await one.close();
  await other.upkeep.takeBack([], []);
  const taken = await other.running.take(new Date());
  t.same(await endedBy(other, lost, ['x', 'y', 'z']), { kind: 'lost' });
  t.same(await endedBy(other, taken, ['a', 'b', 'c']), { kind: 'ended' });
  t.same(await endedBy(other, taken, ['a', 'b', 'c']), { kind: 'ended' }, 'once more changes nothing');
  const stored = await other.reading.look(id, 'result');
  t.equal(stored?.result.map((part) => Buffer.from(part).toString()).join(''), 'abc');
});

t.test('no more of a history is read at once than fits into memory', async (t) => {
  const { queue, running, reading, database } = await instanceAt(t, await newUrl());
  for (let count = 0; count < 4; count += 1) {
    const id = await queue();
    await running.endWaiting(
      new Job({ ...jobOf('192.0.2.1'), id }),
      cancelledEnd(undefined, new Date(count)),
    );
  }
  await database.query(`UPDATE svc_job SET head = head || repeat(' ', 1024 * 1024)`);
  const { jobs, before } = await reading.history({ name: REQUEST.question.name, limit: 10 });
  t.same([jobs.length, before], [2, jobs[1]?.id]);
});

t.test('a key that is used again lets a held job start only with the same request', async (t) => {
  const { accepting, reading } = await instanceAt(t, await newUrl());
  const withKey = (type: 'A' | 'AAAA') =>
    new Job({
      id: randomUUID(),
      request: { ...REQUEST, question: { ...REQUEST.question, type } },
      owner: { client: '192.0.2.1', party: '192.0.2.1' },
      createdAt: new Date(),
      key: 'k',
    });
  const held = withKey('A');
  t.same(await accepting.accept(held, 0), { kind: 'accepted' });
  t.same(await accepting.accept(withKey('AAAA'), 0), { kind: 'key-used' });
  t.equal((await reading.look(held.id, 'state'))?.state, 'held');
  t.same(await accepting.accept(withKey('A'), 0), { kind: 'earlier', id: held.id });
  t.equal((await reading.look(held.id, 'state'))?.state, 'queued');
});

t.test('an instance that was cut off when it ended a job still announces the end', async (t) => {
  const url = await newUrl();
  const [one, other] = [await instanceAt(t, url), await instanceAt(t, url)];
  const id = await one.queue();
  const running = new Running(one.database, SETTINGS, true);
  const taken = await running.take(new Date());
  if (taken === undefined) throw new Error('it was not taken');
  const [job, now] = [new Job({ ...jobOf('192.0.2.1'), id }), new Date()];
  const end = () =>
    running.end(
      taken,
      { after: 0, last: 0, text: '' },
      { job, state: cancelledEnd(now, now), trace: NOTHING_MET },
    );
  t.same(await end(), { kind: 'ended' });
  // Without a row it is not there; its reply was lost.
  await other.database.query('DELETE FROM svc_instance WHERE id = $1', [one.database.instance]);
  t.not(await other.upkeep.adopt(id), undefined);
  t.same(await end(), { kind: 'ended' });
});

t.test(
  'an instance that was cut off takes no end for its own that it stored for a client meanwhile',
  async (t) => {
    const url = await newUrl();
    const [one, other] = [await instanceAt(t, url), await instanceAt(t, url)];
    const id = await one.queue();
    const taken = await one.running.take(new Date());
    if (taken === undefined) throw new Error('it was not taken');
    await other.database.query('DELETE FROM svc_instance WHERE id = $1', [one.database.instance]);
    await other.upkeep.takeBack([], []);
    const [job, now] = [new Job({ ...jobOf('192.0.2.1'), id }), new Date()];
    const state = cancelledEnd(now, now);
    t.equal(await one.running.endWaiting(job, state), 'ended');
    const end = { job, state, trace: NOTHING_MET };
    t.same(await one.running.end(taken, { after: 0, last: 0, text: '' }, end), { kind: 'lost' });
  },
);

t.test('an end whose reply was lost is announced after a while', async (t) => {
  const url = await newUrl();
  const [one, other] = [await instanceAt(t, url), await instanceAt(t, url)];
  const ids = [await one.queue(), await one.queue()];
  const running = new Running(one.database, SETTINGS, true);
  const now = new Date();
  for (const id of ids)
    await running.endWaiting(new Job({ ...jobOf('192.0.2.1'), id }), cancelledEnd(now, now));
  const owedBy = async ({ upkeep }: typeof one, known: readonly string[] = []) =>
    (await upkeep.owed(known)).map(({ id }) => id).sort();
  t.same(await owedBy(one), [], 'the reply may still come');
  await one.database.query(`UPDATE svc_job SET finished_at = finished_at - interval '1 minute'`);
  t.same(await owedBy(other), [], 'another instance is there');
  t.same(await owedBy(one, ids), [], 'which knows of it');
  t.same(await owedBy(one, ids.slice(0, 1)), ids.slice(1));
});

t.test('an attempt counts once, and only if it has begun', async (t) => {
  const { queue, running, upkeep, database } = await instanceAt(t, await newUrl());
  await queue();
  await database.query('UPDATE svc_job SET suspect = true, attempts = 1, deaths = 1');
  const attempts = async () =>
    (await database.query<{ attempts: number }>('SELECT attempts FROM svc_job'))[0]?.attempts;
  await running.take(new Date());
  await upkeep.takeBack([], []);
  t.equal(await attempts(), 1, 'it was only taken');
  const taken = await running.take(new Date());
  if (taken === undefined) throw new Error('it was not taken');
  for (const _ of ['once', 'and again, because the reply was lost'])
    t.equal(await running.beginAlone(taken, new Date()), 'begun');
  t.equal(await attempts(), 2);
  await upkeep.takeBack([], []);
  t.equal(await attempts(), 1, 'its instance does not know of it');
});

t.test('a job that waits ends with its list of servers, which is empty', async (t) => {
  const { queue, running, reading } = await instanceAt(t, await newUrl());
  const id = await queue();
  await running.endWaiting(new Job({ ...jobOf('192.0.2.1'), id }), cancelledEnd(undefined, new Date()));
  const found = await reading.find(id, 'events');
  const job = typeof found === 'object' ? found.job : undefined;
  t.match(JSON.parse(`${job?.servers}`), { servers: [] });
  t.ok(job?.events.ended);
});

t.test(
  'a look that began before the end of a job, and comes back later, does not have it run again',
  async (t) => {
    const { queue, running, database, reading, unreadable } = await instanceAt(t, await newUrl());
    const id = await queue();
    const job = new Job({ ...jobOf('192.0.2.1'), id });
    const after = new AbortController();
    const ended = once(after.signal, 'abort');
    const query: typeof database.query = async (text, values) => {
      const rows = await database.query<never>(text, values);
      await ended;
      return rows;
    };
    const late = new Reading({ query }, unreadable).find(id, 'events', job);
    await running.endWaiting(new Job({ ...jobOf('192.0.2.1'), id }), cancelledEnd(undefined, new Date()));
    await reading.find(id, 'events', job);
    const { last } = job.events;
    after.abort();
    await late;
    t.match(job, { state: { status: 'cancelled' }, events: { last } });
  },
);

t.test('a list of servers counts once, however often it is stored', async (t) => {
  const { queue, running, upkeep, database } = await instanceAt(t, await newUrl());
  const id = await queue();
  await running.endWaiting(new Job({ ...jobOf('192.0.2.1'), id }), cancelledEnd(undefined, new Date()));
  const octets = async () =>
    (await database.query<{ octets: number }>('SELECT octets FROM svc_job'))[0]?.octets;
  await upkeep.keepServers(id, Buffer.from('a longer list'));
  const once = await octets();
  await upkeep.keepServers(id, Buffer.from('a longer list'));
  t.equal(await octets(), once);
});

t.test('a job whose record cannot be read is left to others, and others begin', async (t) => {
  const url = await newUrl();
  const { queue, database } = await instanceAt(t, url);
  const damaged = await queue();
  await database.query(`UPDATE svc_job SET head = '{}' WHERE id = $1`, [damaged]);
  const instance = await startInstance(t, { url });
  const other = await startJob(instance);
  await until(() => instance.engine.runs.length === 1, 'the start of the other');
  t.equal(instance.lines.filter((line) => line.includes(damaged)).length, 1);
  const [row] = await database.query<{ state: string; attempts: number; id: string }>(
    'SELECT id, state, attempts FROM svc_job WHERE id <> $1',
    [other],
  );
  t.same(row, { id: damaged, state: 'queued', attempts: 0 });
});

t.test('in a full queue the last job of the network with most jobs makes room', async (t) => {
  const { queue, accept } = await instanceAt(t, await newUrl());
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) ids.push(await queue('192.0.2.1'));
  const { accepted } = await accept('198.51.100.1');
  t.match(accepted, { kind: 'crowded', victim: { id: ids[3] } });
  t.same(
    (await accept('192.0.2.1')).accepted,
    { kind: 'refused', why: 'queue-full' },
    'but not for a client that has as many',
  );
  t.equal(blocksOf('192.0.2.1').length, 2);
});

t.test('ended jobs are kept for a time, and while there is room', async (t) => {
  const rows = [
    ['all', {}, 3],
    ['too old', { historyMs: 1_000 }, 0],
    ['too large', { maxHistoryBytes: 1 }, 0],
    ['one too many', { maxHistoryBytes: 5_000 }, 2],
  ] as const;
  for (const [what, settings, expected] of rows) {
    const { queue, running, database, upkeep } = await instanceAt(t, await newUrl(), settings);
    for (let count = 0; count < 3; count += 1) {
      const id = await queue();
      const job = jobOf('192.0.2.1');
      await running.endWaiting(new Job({ ...job, id }), cancelledEnd(undefined, new Date()));
      await database.query(
        `UPDATE svc_job SET octets = 2000, finished_at = finished_at - interval '1 minute' WHERE id = $1`,
        [id],
      );
    }
    await upkeep.forget();
    const [left] = await database.query<{ jobs: number }>('SELECT count(*) AS jobs FROM svc_job');
    t.equal(left?.jobs, expected, what);
  }
});
