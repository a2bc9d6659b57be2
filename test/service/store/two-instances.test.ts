import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Job } from '../../../src/service/jobs/job.ts';
import { DEFAULT_SETTINGS } from '../../../src/service/settings.ts';
import { connectToDatabase } from '../../../src/service/store/database.ts';
import { Accepting } from '../../../src/service/store/jobs/accepting.ts';
import { Running } from '../../../src/service/store/jobs/running.ts';
import { Upkeep } from '../../../src/service/store/jobs/upkeep.ts';
import { startReceiver } from '../http/webhook-receivers.ts';
import { type Answer, ask, converse, type Place, start } from '../http-client.ts';
import { REQUEST, until } from '../jobs/every-kind.ts';
import { openLink } from '../link.ts';
import { startServe } from '../spawned.ts';
import { eventsIn, HELD_NAME, metric, startHeldService, startInstance, startJob } from '../test-service.ts';
import { sharedPostgres, startPostgres, urlWith } from './postgres-server.ts';

// They wait, for the store or for a dead instance: the longest first.
t.jobs = 4;

type Instance = Awaited<ReturnType<typeof startInstance>>;

const newDatabase = async () => ({ url: await (await sharedPostgres()).database() });

async function two(t: Test, settings = {}, store?: { readonly url: string }) {
  const database = store ?? (await newDatabase());
  const one = await startInstance(t, database, settings);
  const other = await startInstance(t, database, settings);
  /** The instance that runs the only job, the other, and the run. */
  const running = async () => {
    await until(() => one.engine.runs.length + other.engine.runs.length > 0, 'the start of a job');
    const [holder, idle] = one.engine.runs.length > 0 ? [one, other] : [other, one];
    const [run] = holder.engine.runs;
    if (run === undefined) throw new Error('no run');
    return { holder, idle, run };
  };
  return { one, other, running };
}

const read = async (place: Place, id: string, rest = '') =>
  JSON.parse((await ask(place, 'GET', `/api/traverse/${id}${rest}`)).text);

const follow = (place: Place, id: string, seen?: number): Promise<Answer> =>
  ask(place, 'GET', `/api/traverse/${id}/events`, {
    headers: seen === undefined ? {} : { 'Last-Event-ID': `${seen}` },
  });

const identify = async ({ engine }: Instance) => {
  await until(() => engine.fingerprintings.length > 0, 'a question about servers');
  engine.fingerprintings[0]?.finish();
};

/** Follows a job, and can wait for an event meanwhile. */
const followLive = (t: Test, place: Place, id: string) => {
  const { write, until, closed } = converse(t, place);
  write(`GET /api/traverse/${id}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return { until, closed: closed.then((text) => ({ text })) };
};

const kindsIn = ({ text }: Pick<Answer, 'text'>) => eventsIn(text).map(([at, name]) => [at, name]);

for (const [what, signal] of [
  ['is killed', 'SIGKILL'],
  ['hangs', 'SIGSTOP'],
] as const) {
  t.test(`another instance runs the job of one that ${what}`, async (t) => {
    const { url } = await newDatabase();
    const { service: first, held, restart: startAnother } = await startHeldService(t, ['--store', url]);
    const instances = [first, await startAnother()];
    const id = await startJob(first, { name: HELD_NAME });
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
    t.ok(Date.now() - began < 20_000, 'within seconds');
    if (signal === 'SIGSTOP') holder.kill('SIGCONT');
    held.release();
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

/** A store in which NOTIFY reaches nobody. */
async function silentDatabase() {
  const { database, tell } = await sharedPostgres();
  const url = await database();
  await tell(`CREATE FUNCTION public.pg_notify(text, text) RETURNS void LANGUAGE sql AS 'SELECT'`, url);
  await tell(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`);
  return { url };
}

for (const [what, make] of [
  ['told by NOTIFY', newDatabase],
  ['found by looking again and again', silentDatabase],
] as const) {
  t.test(`any instance takes, shows and streams any job: ${what}`, async (t) => {
    const { one, other, running } = await two(t, {}, await make());
    const id = await startJob(one);
    const { holder, run } = await running();
    await until(async () => (await read(other, id)).status === 'running');
    t.equal((await read(one, id)).status, 'running');
    const followed = [one, other].map((place) => follow(place, id));
    run.exchange('192.0.2.53');
    run.finish();
    await identify(holder);
    const [events, same] = await Promise.all(followed);
    const whole = [
      [1, 'started'],
      [2, 'exchange'],
      [3, 'complete'],
      [4, 'servers'],
    ];
    t.same(kindsIn(events ?? (await follow(one, id))), whole);
    t.equal(same?.text, events?.text);
    for (const place of [one, other]) {
      t.match(await read(place, id), {
        status: 'complete',
        progress: { exchanges: 1, pending: 0 },
        result: { schema: 3 },
      });
      t.match(await read(place, id, '/servers'), { status: 'ready' });
      t.same(kindsIn(await follow(place, id, 2)), whole.slice(2), 'from where a follower was');
      t.equal((await follow(place, id, 4)).status, 204);
      const health = async () => JSON.parse((await ask(place, 'GET', '/api/health')).text);
      // Health does not wait for a store that takes long to count.
      await until(async () => (await health()).jobs.retained === 1, 'the count');
      t.match(await health(), { status: 'ok', store: 'postgres', jobs: { queued: 0, running: 0 } });
    }
  });

  t.test(`any instance cancels any job, and answers when it has ended: ${what}`, async (t) => {
    const { one, running } = await two(t, {}, await make());
    const id = await startJob(one);
    const { idle, run } = await running();
    t.equal((await ask(idle, 'DELETE', `/api/traverse/${id}`)).status, 204);
    t.equal(run.signal.aborted, true);
    t.equal((await read(idle, id)).status, 'cancelled');
  });
}

t.test('of one client no more run than may, at all instances together', async (t) => {
  const { one, other } = await two(t, { maxJobs: 8, maxJobsPerClient: 3 });
  const post = async (place: Place, client: string) => {
    const { text } = await start(place, { name: 'www.example' }, { 'X-Forwarded-For': client });
    return String(JSON.parse(text).id);
  };
  const ids: string[] = [];
  for (let count = 0; count < 10; count += 1)
    ids.push(await post(count % 2 === 0 ? one : other, '198.51.100.7'));
  const runs = () => [...one.engine.runs, ...other.engine.runs];
  await until(() => runs().length === 3, 'the start of three');
  const theirs = [await post(one, '198.51.100.8'), await post(other, '198.51.100.8')];
  await until(() => runs().length === 5, 'the start of those of another');
  const statuses = async (all: readonly string[]) =>
    (await Promise.all(all.map((id) => read(one, id)))).map(({ status }) => status);
  t.same(await statuses(theirs), ['running', 'running'], 'which came later');
  t.equal((await statuses(ids)).filter((status) => status === 'running').length, 3);

  const over = new Set<unknown>();
  while (over.size < 12) {
    const [next] = runs().filter((run) => !over.has(run));
    over.add(next);
    next?.finish();
    await until(
      async () =>
        (await statuses([...ids, ...theirs])).filter((status) => status === 'complete').length === over.size,
    );
    const running = (await statuses(ids)).filter((status) => status === 'running').length;
    t.ok(running <= 3, `${running} run`);
    if (over.size < 12) await until(() => runs().length > over.size, 'the next');
  }
  t.equal(runs().length, 12);
});

t.test('wherever somebody follows a job, events come soon', async (t) => {
  const { one, running } = await two(t);
  const id = await startJob(one);
  const { holder, idle, run } = await running();
  const followed = followLive(t, idle, id);
  const tell = async (count: number) => {
    run.exchange('192.0.2.1');
    await followed.until(new RegExp(`"id":"x${count}"`));
  };
  // The holder hears of the follower within a second.
  for (const count of [1, 2, 3]) await tell(count);
  const began = Date.now();
  for (const count of [4, 5, 6, 7, 8, 9]) await tell(count);
  t.ok(Date.now() - began < 3_000, 'where nobody is known to follow, each takes a second');
  run.finish();
  await identify(holder);
  t.equal(kindsIn(await followed.closed).length, 12);
});

t.test('a reader who has seen more than others here is sent only what comes after', async (t) => {
  const server = await sharedPostgres();
  const link = await openLink(t, server);
  const url = await server.database();
  const one = await startInstance(t, { url });
  const id = await startJob(one);
  await until(() => one.engine.runs.length === 1);
  const [run] = one.engine.runs;
  const other = await startInstance(t, { url: urlWith(url, { port: `${link.port}` }) });
  const followed = followLive(t, other, id);
  run?.exchange('192.0.2.1');
  await followed.until(/event: exchange/);
  link.stall();
  for (let count = 2; count < 8; count += 1) run?.exchange(`192.0.2.${count}`);
  await until(async () => (await read(one, id)).progress.exchanges === 7);
  const late = follow(other, id, 8);
  // Whatever is answered later came later.
  await ask(other, 'GET', '/api/health');
  link.heal();
  run?.finish();
  await identify(one);
  const [first, whole] = (await Promise.all([late, followed.closed])).map(kindsIn);
  t.same(first?.[0], [9, 'complete']);
  t.equal(whole?.length, 10);
});

t.test('a receiver is told once that a job starts, and once that it has ended', async (t) => {
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const { one, other, running } = await two(t, { webhook: { url: receiver.url } });
  const id = await startJob(one);
  const { run } = await running();
  run.finish();
  await until(() => receiver.received.length === 2);
  await Promise.all([one.close(), other.close()]);
  const told = receiver.received.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body)]);
  const [start, end] = told;
  t.same([start?.[0], end?.[0]], [`${id}.start.${Date.parse(start?.[1].at)}`, `${id}.complete`]);
});

t.test('a webhook that is delivered while an instance stops is not sent again', async (t) => {
  const { url } = await newDatabase();
  const receiver = await startReceiver(t, async (response) => {
    if (receiver.received.length === 2) await sleep(1_000);
    response.writeHead(204).end();
  });
  const settings = { webhook: { url: receiver.url } };
  const one = await startInstance(t, { url }, settings);
  const id = await startJob(one);
  await until(() => one.engine.runs.length === 1);
  one.engine.runs[0]?.finish();
  await until(() => receiver.received.length === 2);
  const other = await startInstance(t, { url }, settings);
  await one.close();
  await until(async () => (await read(other, id)).status === 'complete');
  const server = await sharedPostgres();
  t.equal(await server.tell('SELECT count(*) FROM svc_job WHERE owed_by IS NOT NULL', url), '0');
});

t.test('an instance that is asked to stop leaves what it runs to another', async (t) => {
  const { one, other, running } = await two(t);
  const id = await startJob(one);
  const { holder, idle, run } = await running();
  run.exchange('192.0.2.1');
  const followed = follow(idle, id);
  const closed = holder.close(0);
  await until(() => idle.engine.runs.length === 1, 'the start at the other');
  await closed;
  idle.engine.runs[0]?.finish();
  await identify(idle);
  const events = eventsIn((await followed).text);
  t.same(
    events.map(([at]) => at),
    events.map((_, at) => at + 1),
    'ids without a gap',
  );
  t.match(events.findLast(([, name]) => name === 'started')?.[2], { query: Object });
  t.match(await read(idle === one ? one : other, id), { status: 'complete' });
});

t.test('an instance that stops ends the streams of jobs that go on elsewhere', async (t) => {
  const { one, other, running } = await two(t);
  const id = await startJob(one);
  const { holder, idle, run } = await running();
  run.exchange('192.0.2.1');
  const followed = [idle, holder].map((place) => follow(place, id));
  const isFollowed = async (place: Place) => (await metric(place, 'traversal_event_streams')) === 1;
  await until(async () => (await isFollowed(one)) && (await isFollowed(other)), 'both streams');
  await idle.close();
  t.equal((await followed[0])?.status, 200, 'whole, of one that it does not run');
  await holder.close();
  t.equal((await followed[1])?.status, 200, 'whole, of one that it runs');
});

t.test('while the store is away', async (t) => {
  const server = await startPostgres(t);
  const { one, other, running } = await two(t, {}, { url: await server.database() });
  const id = await startJob(one);
  const { holder, idle, run } = await running();
  const followed = [holder, idle].map((place) => follow(place, id));
  run.exchange('192.0.2.1');
  await until(async () => (await read(idle, id)).progress.exchanges === 1);
  await server.kill();
  for (const place of [one, other]) {
    const health = async () => JSON.parse((await ask(place, 'GET', '/api/health')).text);
    // The last thing that it says may be that it is stopping.
    await until(async () => (await health()).reason === 'unreachable', 'a bad state of health');
    t.equal((await health()).status, 'degraded');
    const replies = await Promise.all([
      ask(place, 'POST', '/api/traverse', { body: '{"name":"www.example"}' }),
      ask(place, 'GET', `/api/traverse/${id}`),
      ask(place, 'GET', `/api/traverse/${id}/events`),
      ask(place, 'GET', `/api/traverse/${id}/servers`),
      ask(place, 'DELETE', `/api/traverse/${id}`),
    ]);
    for (const { status, headers, text } of replies) {
      t.same([status, headers['retry-after'], JSON.parse(text).status], [503, '5', 503]);
    }
  }
  run.exchange('192.0.2.2');
  run.finish();
  await server.start();
  await identify(holder);
  for (const answer of await Promise.all(followed)) {
    t.same(
      kindsIn(answer).map(([, name]) => name),
      ['started', 'exchange', 'exchange', 'complete', 'servers'],
      'streams stay open and catch up',
    );
  }
  t.match(await read(idle, id), { status: 'complete', result: { schema: 3 } });
  t.equal(one.engine.runs.length + other.engine.runs.length, 1, 'it was run once');
  for (const { lines } of [one, other])
    t.same(
      lines.filter((line) => /store (un)?reachable/.test(line)).map((line) => JSON.parse(line).level),
      ['error', 'info'],
      'one line that it is away, and one that it is there',
    );
  await startJob(other);
});

t.test('a store that refused to write for a while', async (t) => {
  const server = await startPostgres(t);
  const url = await server.database();
  const instance = await startInstance(t, { url });
  const health = async () => JSON.parse((await ask(instance, 'GET', '/api/health')).text);
  const setReadOnly = async (value: 'on' | 'off') => {
    await server.tell(`ALTER ROLE svc SET default_transaction_read_only = ${value};
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'svc'`);
  };
  await setReadOnly('on');
  await until(async () => (await health()).reason === 'read-only', 'a bad state of health');
  const refused = await ask(instance, 'POST', '/api/traverse', { body: '{"name":"www.example"}' });
  t.equal(refused.status, 503);
  await setReadOnly('off');
  await until(async () => (await health()).status === 'ok', 'good health');
  t.equal((await health()).jobs.queued, 0, 'what was refused does not wait');
  const id = await startJob(instance);
  await until(() => instance.engine.runs.length > 0, 'the start of a job');
  instance.engine.runs[0]?.finish();
  await until(async () => (await read(instance, id)).status === 'complete');
  t.equal(instance.engine.runs.length, 1);
});

const SETTINGS = { ...DEFAULT_SETTINGS, maxJobsPerClient: 1 };
const STARTED = Date.parse('2026-11-22T10:00:00Z');

async function connected(url: string) {
  const connection = await connectToDatabase(url);
  if (connection.kind !== 'connected') throw new Error(connection.reason);
  const { database } = connection;
  return {
    accepting: new Accepting(database, SETTINGS, { ids: [] }),
    running: new Running(database, SETTINGS, false),
    database,
  };
}

t.test('a job under which three instances died is given up, and the next of its client begins', async (t) => {
  const { url } = await newDatabase();
  const witness = await connected(url);
  t.teardown(() => witness.database.close());
  const owner = { client: '192.0.2.1', party: '192.0.2.1' };
  const newJob = () => new Job({ id: randomUUID(), request: REQUEST, owner, createdAt: new Date() });
  const [deadly, next] = [newJob(), newJob()];
  for (const job of [deadly, next]) {
    t.same(await witness.accepting.accept(job, 0), { kind: 'accepted' });
    await witness.accepting.release(job.id, false);
  }
  for (const attempts of [0, 1, 2]) {
    const doomed = await connected(url);
    const startedAt = new Date(STARTED + attempts);
    const taken = await doomed.running.take(startedAt);
    t.match(taken, { id: deadly.id, attempts, suspect: attempts > 0 });
    if (taken?.suspect) t.equal(await doomed.running.beginAlone(taken, startedAt), 'begun');
    // It has no row any more, as if it had said nothing for long.
    await doomed.database.close();
    t.equal((await new Upkeep(witness.database, SETTINGS).takeBack([], [])).length, 1);
  }

  const instance = await startInstance(t, { url }, SETTINGS);
  await until(async () => (await read(instance, deadly.id)).status === 'failed', 'the end');
  t.match(await read(instance, deadly.id), {
    startedAt: new Date(STARTED).toISOString(),
    error: { title: 'Given up', detail: /3 times/ },
  });
  const events = await ask(instance, 'GET', `/api/traverse/${deadly.id}/events`);
  t.same(
    eventsIn(events.text).map(([, name]) => name),
    ['complete', 'servers'],
  );
  await until(() => instance.engine.runs.length === 1, 'the start of the next');
  t.equal((await read(instance, next.id)).status, 'running', 'the only one that is run');
  instance.engine.runs[0]?.finish();
  await until(async () => (await read(instance, next.id)).status === 'complete');
});

t.test('a job whose instance was killed is cancelled at another as one that had started', async (t) => {
  const { url } = await newDatabase();
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const start = (region: string) =>
    startServe(t, ['--demo', '--timeout', '9s', '--retries', '0', '--store', url], {
      SERVICE_WEBHOOK_URL: receiver.url.href,
      EDGE_REGION: region,
    });
  const first = await start('fra');
  const id = await startJob(first, { name: 'www.dead.example' });
  const read = async (place: typeof first) =>
    JSON.parse((await ask(place, 'GET', `/api/traverse/${id}`)).text);
  await until(async () => (await read(first)).progress.exchanges > 0, 'an exchange');
  const { startedAt, progress } = await read(first);
  first.kill('SIGKILL');
  const other = await start('ams');
  t.equal((await ask(other, 'DELETE', `/api/traverse/${id}`)).status, 204);
  t.match(
    other.entries().filter(({ message }) => message === 'job was running when the service died'),
    [{ job: id, name: 'www.dead.example.', type: 'A', attempts: 1 }],
  );
  const end = await read(other);
  t.match(end, { status: 'cancelled', startedAt });
  t.ok(end.progress.exchanges >= progress.exchanges);
  await until(() => receiver.received.length === 2, 'what the receiver is told');
  t.same(
    receiver.received.map(({ body }) => JSON.parse(body)).map(({ event, region }) => [event, region]),
    [
      ['start', 'fra'],
      ['complete', 'fra'],
    ],
    'the region is that of the instance that ran it',
  );
});

t.test('an instance that is asked to stop while its store is away ends', async (t) => {
  const server = await startPostgres(t);
  const service = await startServe(t, ['--demo', '--grace', '0s', '--store', await server.database()]);
  await server.kill();
  service.kill('SIGTERM');
  t.same(await service.exit, { code: 0, signal: null });
});
