import t, { type Test } from 'tap';
import { ask, type Place, start } from '../http-client.ts';
import { until } from '../jobs/every-kind.ts';
import { startInstance, startJob } from '../test-service.ts';
import { sharedPostgres } from './postgres-server.ts';

/** An instance with jobs that have ended, the last first, and what changes their records. */
async function endedJobs(t: Test, count: number) {
  const server = await sharedPostgres();
  const url = await server.database();
  const instance = await startInstance(t, { url }, { publicHistory: true }, 'prompt');
  const ids: string[] = [];
  for (let started = 0; started < count; started += 1) {
    const id = await startJob(instance);
    await until(async () => (await ask(instance, 'GET', `/api/traverse/${id}/servers`)).status === 200);
    ids.unshift(id);
  }
  const tell = (statement: string) => server.tell(statement, url);
  const change = (id: string, columns: string) => tell(`UPDATE svc_job SET ${columns} WHERE id = '${id}'`);
  return { instance, ids, tell, change };
}

t.test(
  'whoever asks for a job is told that its record cannot be read, and the log says so once',
  async (t) => {
    for (const [what, columns] of [
      ['a job that waits', `head = '{}', state = 'queued', finished_at = NULL`],
      ['a job that has ended', `head = 'nonsense'`],
      ['a job that has ended without saying how', `head = (head::jsonb - 'conclusion')::text`],
      ['a list of servers', `servers = 'nonsense'`],
    ] as const) {
      const { instance, ids, change } = await endedJobs(t, 1);
      const [id = ''] = ids;
      await change(id, columns);
      const own = `/api/traverse/${id}`;
      const paths =
        what === 'a list of servers' ? [`${own}/servers`] : [own, `${own}?format=text`, `${own}/when`];
      for (const path of [...paths, `${own}/events`]) {
        const { status, text } = await ask(instance, 'GET', path);
        t.match(
          [status, JSON.parse(text)],
          [500, { detail: /record .* cannot be read/ }],
          `${what}: ${path}`,
        );
      }
      if (paths.includes(own)) t.equal((await ask(instance, 'DELETE', own)).status, 500, what);
      t.equal(instance.lines.filter((line) => line.includes('cannot be read')).length, 1, what);
      t.notOk(
        instance.lines.some((line) => line.includes('request failed')),
        what,
      );
    }
  },
);

t.test('events that cannot be read end the connection, and not the service', async (t) => {
  const { instance, ids, tell } = await endedJobs(t, 1);
  await tell(`UPDATE svc_events SET octets = 'nonsense'`);
  await t.rejects(ask(instance, 'GET', `/api/traverse/${ids[0]}/events`));
  t.ok(instance.lines.some((line) => line.includes('events cannot be read')));
  t.equal((await ask(instance, 'GET', '/api/health')).status, 200);
});

t.test('a result that cannot be read ends the connection', async (t) => {
  for (const damage of [
    `UPDATE svc_result SET octets = 'nonsense'`,
    `UPDATE svc_result SET octets = substr(octets, 1, 1000)`,
    'UPDATE svc_result SET octets = substr(octets, 1, length(octets) - 1)',
    'DELETE FROM svc_result',
  ]) {
    const { instance, ids, tell } = await endedJobs(t, 1);
    await tell(damage);
    const path = `/api/traverse/${ids[0]}`;
    await t.rejects(ask(instance, 'GET', path), damage);
    t.equal((await ask(instance, 'GET', `${path}?format=text`)).status, 500, damage);
    t.equal((await ask(instance, 'GET', '/api/health')).status, 200);
  }
});

t.test(
  'a history leaves out the jobs whose records cannot be read, and the log names each once',
  async (t) => {
    const { instance, ids, change } = await endedJobs(t, 4);
    const [last, damaged = '', another = '', first] = ids;
    for (const id of [damaged, another]) await change(id, `head = '{}'`);
    t.same(await historyAt(instance, '/api/traversals?name=www.example'), { found: [last, first], parts: 1 });
    const alone = await historyAt(instance, '/api/traversals?name=www.example&limit=1');
    t.same(alone, { found: [last, first], parts: 4 }, 'one part after the other');
    for (const id of [damaged, another])
      t.equal(
        instance.lines.filter((line) => line.includes(id) && line.includes('cannot be read')).length,
        1,
      );
  },
);

/** All jobs of a history, and in how many parts they came. */
async function historyAt(place: Place, path: string) {
  const found: string[] = [];
  let parts = 0;
  for (let next: string | undefined = path; next !== undefined; parts += 1) {
    const { traversals, ...more } = JSON.parse((await ask(place, 'GET', next)).text);
    found.push(...traversals.map(({ id }: { id: string }) => id));
    next = more.next;
  }
  return { found, parts };
}

t.test('a job whose end the store does not take has failed, and was run once', async (t) => {
  for (const table of ['svc_result', 'svc_events']) {
    const server = await sharedPostgres();
    const url = await server.database();
    const instance = await startInstance(t, { url }, {}, 'prompt');
    await server.tell(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END';
       CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`,
      url,
    );
    const id = await startJob(instance);
    const job = async () => JSON.parse((await ask(instance, 'GET', `/api/traverse/${id}`)).text);
    await until(async () => instance.engine.runs.length > 1 || 'finishedAt' in (await job()), 'an end');
    t.match(await job(), { status: 'failed', error: { title: 'Internal error' } }, table);
    t.equal(instance.engine.runs.length, 1, table);
    t.ok(
      instance.lines.some((line) => line.includes('"job failed"') && line.includes(id)),
      table,
    );
  }
});

t.test('a job whose failure the store does not take either is given up after three attempts', async (t) => {
  const server = await sharedPostgres();
  const url = await server.database();
  const instance = await startInstance(t, { url }, {}, 'prompt');
  await server.tell(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END';
     CREATE TRIGGER refuse BEFORE UPDATE ON svc_job FOR EACH ROW WHEN (NEW.finished_at IS NOT NULL) EXECUTE FUNCTION refuse()`,
    url,
  );
  const id = await startJob(instance);
  const refused = () => instance.lines.filter((line) => line.includes('store operation failed')).length;
  await until(() => refused() === 3, 'the third attempt');
  await server.tell('DROP TRIGGER refuse ON svc_job', url);
  const job = async () => JSON.parse((await ask(instance, 'GET', `/api/traverse/${id}`)).text);
  await until(async () => 'finishedAt' in (await job()), 'the end');
  t.match(await job(), { status: 'failed', error: { title: 'Given up' } });
  t.equal(instance.engine.runs.length, 3);
});

t.test(
  'in a full queue a job whose record cannot be read makes no room, but the one before it',
  async (t) => {
    const server = await sharedPostgres();
    const url = await server.database();
    const instance = await startInstance(t, { url }, { maxQueue: 2, maxJobsPerClient: 1 });
    const post = async (client: string) => {
      const { status, text } = await start(instance, { name: 'www.example' }, { 'X-Forwarded-For': client });
      return { status, id: JSON.parse(text).id };
    };
    const [many, few] = ['192.0.2.1', '198.51.100.1'];
    for (const [at, client] of [few, many].entries()) {
      await post(client);
      await until(() => instance.engine.runs.length === at + 1, 'the start of a job');
    }
    const [first, last] = [await post(many), await post(many)];
    await server.tell(`UPDATE svc_job SET head = '{}' WHERE id = '${last.id}'`, url);
    t.equal((await post(few)).status, 202);
    const { text } = await ask(instance, 'GET', `/api/traverse/${first.id}`);
    t.match(JSON.parse(text), { error: { title: 'Crowded out' } });
  },
);
